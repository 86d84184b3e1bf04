#!/usr/bin/env bash
# Builds a container image without a container engine and without a base image from a registry: the root file
# system comes from Debian packages, the server from `npm pack`. Then starts the image and runs the quick start in it.
#
#   apt-get install --no-install-recommends buildah mmdebstrap
#   npm install && deploy/image/build-image.sh
#
# Writes dist/image/latchkey-VERSION.oci.tar (for `podman load`, `skopeo copy` or a registry) and its SBOM,
# dist/image/latchkey-VERSION.cdx.json (CycloneDX). Needs root; takes about a minute.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# Packages of this Debian release, from the sources of this machine if it runs Debian.
suite=${DEBIAN_SUITE:-bookworm}
# The tag of the image.
version=$(node -p 'require("./package.json").version')
target=dist/image
archive=$target/latchkey-$version.oci.tar
sbom=$target/latchkey-$version.cdx.json

for program in buildah mmdebstrap npm; do
  command -v "$program" >/dev/null || {
    echo "$program is missing: apt-get install --no-install-recommends buildah mmdebstrap" >&2
    exit 1
  }
done

work=$(mktemp -d)
container=
image=
finish() {
  if [ -n "$container" ]; then buildah rm "$container" >/dev/null || true; fi
  if [ -n "$image" ]; then buildah rmi --force "$image" >/dev/null || true; fi
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

# Neither needs a user namespace or an overlay file system.
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs

echo '=== root file system'
mmdebstrap --quiet --variant=essential --include=libatomic1,libstdc++6 \
  --dpkgopt='path-exclude=/usr/share/man/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' \
  --dpkgopt='path-exclude=/usr/share/doc/*' \
  --dpkgopt='path-include=/usr/share/doc/*/copyright' \
  "$suite" "$work/root.tar"

echo '=== npm package'
npm pack --silent --pack-destination "$work" >/dev/null
mkdir "$work/latchkey"
npm install --silent --no-audit --no-fund --no-save --ignore-scripts \
  --prefix "$work/latchkey" "$work/latchkey-$version.tgz"
# Headers and documentation of Node.
rm -rf "$work"/latchkey/node_modules/node-*/{include,share,CHANGELOG.md,README.md}

echo '=== image'
container=$(buildah from scratch)
buildah add --quiet "$container" "$work/root.tar" / >/dev/null
buildah copy --quiet "$container" "$work/latchkey" /opt/latchkey >/dev/null
buildah run "$container" -- sh -ec '
  echo latchkey:x:10001:10001::/data:/usr/sbin/nologin >>/etc/passwd
  echo latchkey:x:10001: >>/etc/group
  install -d -o latchkey -g latchkey -m 700 /data
  ln -s /opt/latchkey/node_modules/.bin/node /usr/local/bin/node
  ln -s /opt/latchkey/node_modules/.bin/latchkey /usr/local/bin/latchkey
'
buildah config \
  --user 10001:10001 \
  --workingdir /data \
  --volume /data \
  --port 8787 \
  --stop-signal SIGTERM \
  --env NODE_ENV=production \
  --env LATCHKEY_HOST=0.0.0.0 \
  --env LATCHKEY_PORT=8787 \
  --env LATCHKEY_DATA_DIR=/data \
  --env PATH=/usr/local/bin:/usr/bin:/bin \
  --label org.opencontainers.image.title=Latchkey \
  --label "org.opencontainers.image.version=$version" \
  --label org.opencontainers.image.licenses=Apache-2.0 \
  --entrypoint '["latchkey"]' \
  --cmd serve \
  "$container"

echo '=== archive'
mkdir -p "$target"
rm -f "$archive"
# Images are not pulled, so there are no signatures to check; buildah expects a policy all the same.
echo '{"default":[{"type":"insecureAcceptAnything"}]}' >"$work/policy.json"
buildah commit --quiet --disable-compression=false --signature-policy "$work/policy.json" \
  "$container" "oci-archive:$archive:latchkey:$version" >/dev/null
buildah rm "$container" >/dev/null
container=

echo '=== quick start'
# In a container of its own, so that its data does not become a part of the image.
container=$(buildah from --quiet --signature-policy "$work/policy.json" "oci-archive:$archive")
image=$(buildah inspect --format '{{.FromImageID}}' "$container")
node deploy/image/try-image.js "$container"

echo '=== SBOM'
# Optional packages of the SBOM tool are add-ons that compile.
npm ci --silent --no-audit --no-fund --omit=optional --ignore-scripts --prefix deploy/image
node deploy/image/node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js \
  --package-lock-only --omit dev --omit peer --output-reproducible --output-format JSON --output-file "$sbom"

ls -l "$archive" "$sbom"
