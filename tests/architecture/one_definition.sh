#!/bin/sh
# Fails if two object files that can meet in one program define the same symbol and one of the definitions is strong: the
# linker takes the first archive member that it needs and says nothing about the other.
#   one_definition.sh LIBRARY_OBJECT... [-- PROGRAM_OBJECT...]...
# Objects after a `--` are those of one program. They are compared with each other and with the library's. Programs that
# are not built are left out, which is said; the objects of the library have to be there.
set -u
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
part=0
left_out=0
for object in "$@"; do
    case $object in
    --) part=$((part + 1)) ;;
    *.o)
        if [ -f "$object" ]; then
            printf '%s\t%s\n' "$part" "$object" >>"$scratch/objects"
        elif [ "$part" -eq 0 ]; then
            echo "not built: $object"
            exit 1
        else
            left_out=$((left_out + 1))
        fi
        ;;
    esac
done
[ -s "$scratch/objects" ] || { echo "no object files given"; exit 1; }
[ "$left_out" -eq 0 ] || echo "$left_out object files of programs are not built and were left out"

cut -f2 "$scratch/objects" | sort -u | tr '\n' '\0' | xargs -0 nm --print-file-name --defined-only --extern-only >"$scratch/symbols" || exit 1
awk -F '\t' '
    # An object may belong to several programs.
    NR == FNR { parts_of[$2] = parts_of[$2] " " $1; if ($1 + 0 > last) last = $1 + 0; next }
    {
        object = $0; sub(/:[0-9a-f]* [A-Za-z] .*$/, "", object)
        kind = $0; sub(/^.*:[0-9a-f]* /, "", kind)
        symbol = substr(kind, 3); kind = substr(kind, 1, 1)
        # T D B R G S: strong. W V u: any number of equal definitions may meet.
        if (kind !~ /[TDBRGSWVu]/) next
        parts = split(parts_of[object], part, " ")
        for (i = 1; i <= parts; ++i) {
            key = symbol SUBSEP part[i]
            if (kind ~ /[TDBRGS]/) { ++strong[key]; strong_at[key] = strong_at[key] "\n    " object }
            else if (!(key in weak_at)) weak_at[key] = "\n    " object " (weak)"
        }
        ++counted
        symbols[symbol]
    }
    END {
        for (symbol in symbols) {
            library = symbol SUBSEP 0
            for (p = 0; p <= last; ++p) {
                key = symbol SUBSEP p
                if (!(key in strong) && !(key in weak_at)) continue
                count = strong[key]; places = strong_at[key]; weak = weak_at[key]
                if (p > 0) {
                    if (strong[library] > 1 || (strong[library] > 0 && weak_at[library] != "")) continue # said already
                    count += strong[library]; places = places strong_at[library]; weak = weak weak_at[library]
                }
                if (count > 1 || (count > 0 && weak != "")) { print symbol places weak; bad = 1 }
            }
        }
        if (!counted) { print "no symbols found"; bad = 1 }
        exit bad
    }' "$scratch/objects" "$scratch/symbols" >"$scratch/clashes"
status=$?
c++filt <"$scratch/clashes"
exit $status
