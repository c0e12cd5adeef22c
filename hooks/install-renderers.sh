#!/bin/sh
# Installs kubectl, helm, kustomize and jsonnet into the directory $1, each in the version that KUBECTL_VERSION, HELM_VERSION,
# KUSTOMIZE_VERSION or JSONNET_VERSION names, or not at all. A download that fails, or whose checksum differs, is an error.
set -eu

mkdir -p "$1"
target=$(cd "$1" && pwd)
case "$(uname -s)" in
  Darwin) system=darwin ;;
  *) system=linux ;;
esac
case "$(uname -m)" in
  aarch64 | arm64) machine=arm64 ;;
  *) machine=amd64 ;;
esac

version() {
  case "$2" in
    *[!0-9.]*) echo "The version of $1 must be like 1.2.3, not $2" >&2 && exit 2 ;;
  esac
}
download() {
  curl --fail --silent --show-error --location --proto =https --retry 3 --remote-name "$1"
}
verify() {
  if command -v sha256sum > /dev/null; then
    sha256sum --check --quiet -
  else
    shasum --algorithm 256 --check --quiet -
  fi
}

version kubectl "${KUBECTL_VERSION:-}"
version helm "${HELM_VERSION:-}"
version kustomize "${KUSTOMIZE_VERSION:-}"
version jsonnet "${JSONNET_VERSION:-}"
cd "$(mktemp -d)"

if [ -n "${KUBECTL_VERSION:-}" ]; then
  address=https://dl.k8s.io/release/v$KUBECTL_VERSION/bin/$system/$machine/kubectl
  download "$address"
  download "$address.sha256"
  echo "$(cat kubectl.sha256)  kubectl" | verify
  install kubectl "$target"
fi
if [ -n "${HELM_VERSION:-}" ]; then
  archive=helm-v$HELM_VERSION-$system-$machine.tar.gz
  download "https://get.helm.sh/$archive"
  download "https://get.helm.sh/$archive.sha256sum"
  verify < "$archive.sha256sum"
  tar -xzf "$archive" --strip-components=1 "$system-$machine/helm"
  install helm "$target"
fi
if [ -n "${KUSTOMIZE_VERSION:-}" ]; then
  archive=kustomize_v${KUSTOMIZE_VERSION}_${system}_$machine.tar.gz
  address=https://github.com/kubernetes-sigs/kustomize/releases/download/kustomize%2Fv$KUSTOMIZE_VERSION
  download "$address/$archive"
  download "$address/checksums.txt"
  grep " $archive\$" checksums.txt | verify
  tar -xzf "$archive" kustomize
  install kustomize "$target"
fi
if [ -n "${JSONNET_VERSION:-}" ]; then
  archive=go-jsonnet_${JSONNET_VERSION}_$(uname -s)_$(uname -m | sed 's/aarch64/arm64/').tar.gz
  address=https://github.com/google/go-jsonnet/releases/download/v$JSONNET_VERSION
  download "$address/$archive"
  download "$address/checksums.txt"
  grep " $archive\$" checksums.txt | verify
  tar -xzf "$archive" jsonnet
  install jsonnet "$target"
fi
