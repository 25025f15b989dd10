#!/bin/sh
# Installs test runners into a folder, for `tests/setup.sh`, and those of Debian for root; what can't be
# had is named.
set -u
tools=${1:?usage: setup.sh FOLDER}
mkdir -p "$tools/bin" "$tools/js"
tools=$(cd "$tools" && pwd)

if [ ! -x "$tools/py/bin/trial" ]; then
  python3 -m venv "$tools/py" &&
    "$tools/py/bin/pip" -q install pytest pytest-xdist tox nose2 behave robotframework twisted
fi
for program in pytest tox nose2 behave robot trial; do
  ln -sf "$tools/py/bin/$program" "$tools/bin/"
done

if [ ! -d "$tools/js/node_modules/uvu" ]; then
  cd "$tools/js" || exit 1
  [ -f package.json ] || echo '{"private": true}' > package.json
  npm install --no-audit --no-fund --loglevel=error vitest@3 jest@30 mocha@11 bun@1 deno@2 turbo@2 nx@22 \
    uvu@0.5 tape@5 ava@6 jasmine@5 qunit@2 tap@21 @cucumber/cucumber@11 @playwright/test@1
  # Some versions of npm leave these to be called by hand.
  for install in bun/install.js deno/install.cjs; do
    [ -f "node_modules/$install" ] && (cd "node_modules/${install%/*}" && node "${install#*/}")
  done
fi
for program in vitest jest mocha bun deno turbo nx uvu tape ava jasmine qunit tap cucumber-js playwright; do
  [ -e "$tools/js/node_modules/.bin/$program" ] && ln -sf "$tools/js/node_modules/.bin/$program" "$tools/bin/"
done

missing=
for pair in rspec:ruby-rspec ruby:ruby-minitest phpunit:phpunit bats:bats go:golang-go mix:elixir \
  cmake:cmake gradle:"gradle junit4" mh_make:"maven-debian-helper libsurefire-java junit5" prove:perl make:make c++:g++ \
  busted:lua-busted rebar3:rebar3 dune:ocaml-dune ocamlfind:"ocaml-findlib libalcotest-ocaml-dev" shunit2:shunit2; do
  command -v "${pair%%:*}" > /dev/null || missing="$missing ${pair#*:}"
done
[ -e /usr/include/gtest/gtest.h ] || missing="$missing libgtest-dev"
if [ -n "$missing" ] && command -v apt-get > /dev/null && [ "$(id -u)" = 0 ]; then
  apt-get update -qq
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $missing > /dev/null
elif [ -n "$missing" ]; then
  echo "not installed, so not tried; on Debian: apt-get install$missing"
fi
