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
# Of the client of Kubernetes only the configuration and the connection are used. The user of the image cannot write bytecode,
# and the bytecode needs no sources.
RUN python3 -m venv /opt/applylint \
    && /opt/applylint/bin/pip install --no-cache-dir --no-compile "/source[cel]" \
    && /opt/applylint/bin/pip uninstall --yes aiohappyeyeballs aiohttp aiohttp-retry aiosignal attrs frozenlist multidict pip propcache yarl \
    && cd /opt/applylint/lib/python3*/site-packages \
    && rm -r kubernetes/aio kubernetes/client/api \
    && find kubernetes/client/models -name "v[0-9]*.py" -delete \
    && python3 -m compileall -b -q . && find . -name "*.py" -delete \
    && /opt/applylint/bin/python -c "import kubectl_applylint.sources.cluster.client"

FROM ${BASE} AS system
# Checkouts in pipelines belong to another user than the one of the image, and git rejects those without safe.directory.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates git jsonnet python3 \
    && git config --system --add safe.directory '*' \
    && useradd --uid 65532 --create-home nonroot \
    && mkdir /work && chown nonroot /work
# Nothing else is needed to run the programs; scanners read the list of packages that is left. Scripts of packages need Perl.
RUN rm /var/lib/dpkg/info/*.prerm /var/lib/dpkg/info/*.postrm \
    && dpkg --purge --force-all $(dpkg-query --show --showformat '${Package} ' adduser apt bsdutils debconf debian-archive-keyring git-man \
      gpgv init-system-helpers 'libapt-pkg*' 'libaudit*' 'libblkid*' 'libcap-ng*' 'libdb5*' 'libdebconfclient*' 'libgdbm*' 'liblastlog*' \
      'libmount*' 'libncursesw*' 'libpam*' 'libperl*' 'libreadline*' 'libseccomp*' 'libsemanage*' 'libsepol*' 'libsmartcols*' 'libsqlite3*' \
      'libsystemd*' 'libudev*' 'libxxhash*' login 'login.defs' logsave mount ncurses-bin openssl openssl-provider-legacy passwd 'perl*' \
      readline-common sqv sysvinit-utils tzdata util-linux) \
    && cd /usr/lib/git-core && ln -sf ../../bin/git git \
    && rm -rf git-daemon git-difftool* git-filter-branch git-http-* git-imap-send git-instaweb git-mergetool* git-sh-i18n--envsubst \
      git-shell git-submodule git-subtree git-web--browse mergetools scalar \
    && cd /usr/lib/python3.* && rm -rf curses dbm ensurepip idlelib pydoc_data sqlite3 test turtle* unittest venv wsgiref xmlrpc \
      lib-dynload/_codecs_[chjkt]* lib-dynload/_curses* lib-dynload/_dbm* lib-dynload/_gdbm* lib-dynload/_sqlite3* lib-dynload/_test* lib-dynload/readline* \
    && rm -rf /usr/lib/dpkg /usr/lib/*/gconv /usr/lib/*/libmvec* /usr/bin/git-shell /usr/bin/jsonnetfmt /usr/bin/localedef /usr/bin/scalar \
      /usr/bin/pinky /usr/bin/users /usr/bin/who /usr/sbin/ldconfig \
    && cd /usr/share && rm -rf dpkg doc gitweb info locale man perl* \
    && rm -rf /var/cache/* /var/lib/apt /var/lib/dpkg/info /var/log/* /usr/bin/dpkg* \
    && ! ldd /usr/bin/* /usr/lib/git-core/git-remote-http /usr/lib/python3.*/lib-dynload/*.so 2>/dev/null | grep "not found"

FROM scratch
COPY --from=system / /
COPY --from=programs /programs/ /usr/local/bin/
COPY --from=package /opt/applylint /opt/applylint
ENV PATH=/opt/applylint/bin:/usr/local/bin:/usr/bin:/bin
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["applylint"]
