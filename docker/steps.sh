#!/bin/sh
# What the image is built of. The Dockerfile calls these steps, and CI runs the same ones as a
# script, since not every machine has a container engine.
#
#   PREFIX  where the program goes      DATA  where its one volume is
#   SERVICE_USER  who runs it; made where there is none
set -eu

: "${PREFIX:=/opt/bargein}" "${DATA:=/data}" "${SERVICE_USER:=bargein}"

install_program() {
  python3 -m venv "$PREFIX"
  "$PREFIX/bin/python" -m pip install --quiet --no-cache-dir --disable-pip-version-check \
    -c constraints.txt ".${EXTRAS:+[$EXTRAS]}"
}

make_user() {
  id "$SERVICE_USER" >/dev/null 2>&1 ||
    useradd --system --no-create-home --home-dir "$DATA" --shell /usr/sbin/nologin "$SERVICE_USER"
  mkdir -p "$DATA"
  chown "$SERVICE_USER" "$DATA"
  chmod 0700 "$DATA"
}

check_program() {
  "$PREFIX/bin/python" -I - <<'PYTHON'
from gateway.i18n import LANGUAGES, translator

for language in LANGUAGES:
    print("catalog:", translator(language).language)
PYTHON
  "$PREFIX/bin/bargein" --help >/dev/null
}

case "$1" in
  install) install_program ;;
  user) make_user ;;
  check) check_program ;;
  *) echo "steps: install | user | check" >&2; exit 2 ;;
esac
