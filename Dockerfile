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
# Of the client of Kubernetes only the configuration and the connection are used. The user of the image cannot write bytecode.
RUN python3 -m venv /opt/applylint \
    && /opt/applylint/bin/pip install --no-cache-dir --no-compile "/source[cel]" \
    && /opt/applylint/bin/pip uninstall --yes pip \
    && cd /opt/applylint/lib/python3*/site-packages \
    && rm -r kubernetes/aio kubernetes/client/api \
    && python3 -m compileall -q --invalidation-mode unchecked-hash jinja2 jsonpath_ng kubectl_applylint markupsafe yaml \
    && /opt/applylint/bin/python -c "import kubectl_applylint.sources.cluster.client"

FROM ${BASE} AS system
# Checkouts in pipelines belong to another user than the one of the image, and git rejects those without safe.directory.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates git jsonnet python3 \
    && git config --system --add safe.directory '*' \
    && useradd --uid 65532 --create-home nonroot \
    && mkdir /work && chown nonroot /work
# Perl, the package manager, servers of git, documents and other locales are not needed; scanners read the list of packages.
RUN dpkg --purge --force-all $(dpkg-query --show --showformat '${Package} ' 'perl*' 'libperl*') git-man \
    && cd /usr/lib/git-core && ln -sf ../../bin/git git \
    && rm -f git-daemon git-http-backend git-http-fetch git-http-push git-imap-send git-shell scalar \
    && cd /usr/lib/python3.* && rm -rf ensurepip pydoc_data test \
    && rm -rf /usr/lib/apt /usr/lib/dpkg /usr/lib/*/gconv /usr/lib/*/libapt* /usr/bin/apt* /usr/bin/git-shell /usr/bin/scalar \
    && cd /usr/share && rm -rf dpkg doc info locale man perl* \
    && rm -rf /var/cache/* /var/lib/apt /var/lib/dpkg/info /var/log/* /usr/bin/dpkg*

FROM scratch
COPY --from=system / /
COPY --from=programs /programs/ /usr/local/bin/
COPY --from=package /opt/applylint /opt/applylint
ENV PATH=/opt/applylint/bin:/usr/local/bin:/usr/bin:/bin
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["applylint"]
