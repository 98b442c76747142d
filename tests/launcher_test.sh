#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The launcher, on a tiny project of its own: what it installs, builds and says,
# and what a second start costs. Speaks TAP, so that every case is counted.
set -uo pipefail

launcher=$WAKERACE_ROOT/wakerace
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset WAKERACE_BUILD WAKERACE_ROOT
tree=$scratch/tree
mkdir -p "$tree/cli" "$tree/tests" "$scratch/bin" "$scratch/elsewhere"
cp "$launcher" "$tree/wakerace"
cp "$(dirname "$launcher")/tests/run" "$tree/tests/run"
printf '# A comment is no package.\npackage-one\npackage-two\n' >"$tree/packages.txt"

cat >"$tree/meson.build" <<'END'
project('tiny', 'c')
fs = import('fs')
subdir('cli')
alias_target('tool', tool)
test('good', tool)
test('absent', find_program('sh'), args : ['-c', 'exit 77'])
if fs.exists('fail')
  test('bad', find_program('sh'), args : ['-c', 'exit 1'])
endif
END
echo "tool = executable('wakerace', '../tool.c')" >"$tree/cli/meson.build"
tool() {
	cat >"$tree/tool.c" <<END
#include <stdio.h>
int main(int n, char **a)
{
	$1;
	return n - 1;
}
END
}
tool 'printf("told %s\n", n > 1 ? a[1] : "nothing")'

# Stand-ins for the system: packages that are there or not, and who asks.
fake() {
	printf '#!/bin/bash\n%s\n' "$2" >"$scratch/bin/$1"
	chmod +x "$scratch/bin/$1"
}
packages() { fake dpkg-query "[[ ' $* ' == *\" \${@: -1} \"* ]] && echo -n installed"; }
fake apt-get "echo \"\$*\" >>$scratch/apt.log"
export PATH=$scratch/bin:$PATH

cases=0
# Checks the last start: its exit code, and a pattern in what it printed.
expect() {
	local name=$1 want_code=$2 pattern=$3
	cases=$((cases + 1))
	if [[ $code == "$want_code" && $said == *$pattern* ]]; then
		echo "ok $cases - $name"
	else
		echo "not ok $cases - $name"
		printf 'exit code %s, said:\n%s\n' "$code" "$said" | sed 's/^/# /'
	fi
}
start() { said=$("$@" 2>&1); code=$?; }

packages package-one
fake id 'echo 1000'
start "$tree/wakerace" run
expect 'without root the exact apt line is told' 2 \
	'apt-get update && apt-get install -y --no-install-recommends package-two'
start cat "$scratch/apt.log"
expect 'and nothing is installed' 1 ''

fake id 'echo 0'
start "$tree/wakerace" ''
expect 'root gets what is missing, then the tool' 1 'told '
start cat "$scratch/apt.log"
expect 'only that is installed' 0 $'update\ninstall -y --no-install-recommends package-two'

rm "$scratch/apt.log"
fake dpkg-query 'echo asked >>'"$scratch/apt.log"
begin=${EPOCHREALTIME/./}
start "$tree/wakerace"
milliseconds=$(((${EPOCHREALTIME/./} - begin) / 1000))
expect 'a second start says nothing of its own' 0 'told nothing'
[[ $said == 'told nothing' ]] || code=talkative
expect 'not a line' 0 ''
[[ $milliseconds -lt 500 ]] || code="$milliseconds ms"
expect 'and takes less than half a second' 0 ''
start cat "$scratch/apt.log"
expect 'nor does it ask for packages again' 1 ''

cd "$scratch/elsewhere"
start ../tree/wakerace
expect 'starts from another directory' 0 'told nothing'
ln -s ../tree/wakerace link
start ./link here
expect 'starts through a link, and passes arguments and exit code on' 1 'told here'

tool 'printf("changed\n")'
start "$tree/wakerace"
expect 'a changed source is built again' 0 'changed'

start "$tree/wakerace" test
expect 'test counts what ran' 0 '1 passed, 0 failed, 1 skipped'
touch "$tree/fail" && touch "$tree/meson.build"
start "$tree/wakerace" test
expect 'and what failed' 1 '1 passed, 1 failed, 1 skipped'

tool 'this is no C'
start "$tree/wakerace"
expect 'a failed build shows the compiler' 3 'error:'
start grep -c 'the build failed' <<<"$said"
expect 'and says so once' 0 '1'

rm -rf "$tree/build"
echo 'nonsense(' >"$tree/meson.build"
packages package-one package-two
start "$tree/wakerace"
expect 'a failed configuration shows why' 3 'meson could not configure'

echo "1..$cases"
