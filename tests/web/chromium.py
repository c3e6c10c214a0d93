"""Debian's Chromium for the tests of the page: the one without windows, which needs half the work a
page; where it is missing, the whole one.
"""

import shutil

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
