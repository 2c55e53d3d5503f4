#!/bin/sh
# Whether one_definition.sh notices what it is for, on small samples.  one_definition_notices.sh COMPILER
set -u
here=$(dirname "$0")
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
compiled() { printf '%s\n' "$2" | "$compiler" -x c++ -std=c++20 -c -o "$folder/$1.o" - || exit 1; }
compiler=$1
compiled first 'namespace a { int twice(int x) { return x; } } int first() { return 1; }'
compiled second 'namespace a { int twice(int x) { return -x; } } int second() { return 2; }'
compiled mixed 'namespace a { inline int twice(int x) { return 2 * x; } } int (*mixed)(int) = a::twice;'
compiled variable 'namespace a { int count = 3; }'
compiled variable_again 'namespace a { double count = 3; }'
compiled apart 'namespace { int twice(int x) { return 3 * x; } } int (*apart)(int) = twice;'
compiled weak 'inline int shared() { return 1; } int (*weak)() = shared;'
compiled weak_again 'inline int shared() { return 1; } int (*weak_again)() = shared;'

failed=0
# expect STATUS WORD OBJECT...
expect() {
    status=$1 word=$2
    shift 2
    said=$(cd "$folder" && sh "$here/one_definition.sh" "$@")
    found=$?
    case $said in
    *"$word"*) [ "$found" -eq "$status" ] && return ;;
    esac
    echo "one_definition.sh $*: status $found, expected $status and '$word'; it said: $said"
    failed=1
}
here=$(cd "$here" && pwd)
expect 0 '' first.o apart.o weak.o weak_again.o
expect 1 'a::twice(int)' first.o second.o
expect 1 'a::twice(int)' first.o mixed.o
expect 1 'a::count' variable.o variable_again.o
expect 1 'a::twice(int)' first.o -- second.o
expect 1 'a::twice(int)' first.o -- mixed.o
expect 1 'a::twice(int)' mixed.o -- first.o
expect 0 '' weak.o -- first.o -- second.o -- weak_again.o
expect 0 '1 object files of programs are not built' first.o -- missing.o
expect 1 'not built: missing.o' missing.o
expect 1 'no object files'
exit $failed
