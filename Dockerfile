# applylint with git, kubectl, helm, kustomize and jsonnet, for jobs and pods: docs/install.md describes it.
ARG BASE=docker.io/library/debian:trixie-slim

FROM ${BASE} AS programs
ARG KUBECTL_VERSION=1.36.3
ARG HELM_VERSION=3.18.0
ARG KUSTOMIZE_VERSION=5.7.1
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates curl
COPY hooks/install-renderers.sh /install-renderers.sh
RUN /install-renderers.sh /programs

FROM ${BASE} AS package
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates python3 python3-venv
COPY . /source
RUN python3 -m venv /opt/applylint \
    && /opt/applylint/bin/pip install --no-cache-dir --no-compile "/source[cel]" \
    && /opt/applylint/bin/pip uninstall --yes pip

FROM ${BASE}
# Checkouts in pipelines belong to another user than the one of the image, and git rejects those without safe.directory.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates git jsonnet python3 \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/* /usr/share/doc/* /usr/share/man/* /usr/share/locale/* \
    && git config --system --add safe.directory '*' \
    && useradd --uid 65532 --create-home nonroot \
    && mkdir /work && chown nonroot /work
COPY --from=programs /programs/ /usr/local/bin/
COPY --from=package /opt/applylint /opt/applylint
ENV PATH=/opt/applylint/bin:/usr/local/bin:/usr/bin:/bin
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["applylint"]
