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
  "$PREFIX/bin/python" -m pip install --quiet --disable-pip-version-check \
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
  check_extras
  "$PREFIX/bin/bargein" --help >/dev/null
  check_server
}

# What each of the image's extras is there for can be loaded.
check_extras() {
  for extra in $(echo "${EXTRAS:-}" | tr , ' '); do
    case "$extra" in
      acp) modules="gateway.api.acp.editor" ;;
      anthropic) modules="anthropic pydantic_ai.models.anthropic" ;;
      google) modules="google.genai pydantic_ai.models.google" ;;
      mcp) modules="gateway.agents.mcp.service gateway.api.mcp.site" ;;
      telegram) modules="gateway.channels.telegram.channel" ;;
      voice) modules="voice.engines.choose voice.engines.espeak voice.engines.whisper" ;;
      *) continue ;;
    esac
    for module in $modules; do
      "$PREFIX/bin/python" -I -c "import $module" || exit 1
    done
    echo "extra: $extra"
  done
}

# It serves with the image's own settings, says that it is well, and ends when it is told to.
check_server() {
  place=$(mktemp -d)
  export BARGEIN_DATABASE="$place/check.db"
  "$PREFIX/bin/bargein" token create check >/dev/null # without one it does not listen to others
  "$PREFIX/bin/bargein" serve >"$place/log" 2>&1 &
  server=$!
  "$PREFIX/bin/python" -I - "${BARGEIN_HTTP__PORT:-8642}" <<'PYTHON' || { cat "$place/log" >&2; exit 1; }
import sys
import time
import urllib.error
import urllib.request

for left in reversed(range(60)):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/healthz", timeout=4) as answer:
            print("health:", answer.status)
        break
    except urllib.error.URLError:
        if not left:
            raise
        time.sleep(0.5)
PYTHON
  kill -TERM "$server"
  wait "$server"
  rm -rf "$place"
}

case "$1" in
  install) install_program ;;
  user) make_user ;;
  check) check_program ;;
  *) echo "steps: install | user | check" >&2; exit 2 ;;
esac
