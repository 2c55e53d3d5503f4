#!/bin/sh
# Fails if an object file of src/potentials/isa, compiled for wider processors, has a symbol that others could share
# (weak, unique) and that does not carry the name of its kind of processor.
# Arguments: object files, also as one argument with semicolons between them.
status=0
seen=0
for object in $(echo "$@" | tr ';' ' '); do
    case $object in
    */isa/v3.cpp.o) isa=isa_v3 ;;
    */isa/v4.cpp.o) isa=isa_v4 ;;
    *) continue ;;
    esac
    seen=$((seen + 1))
    shared=$(nm -C --defined-only "$object" | grep -E ' [WVuw] ' | grep -v "$isa")
    if [ -n "$shared" ]; then
        echo "$object shares:"
        echo "$shared"
        status=1
    fi
done
[ $seen -eq 2 ] || { echo "expected two object files, found $seen"; status=1; }
exit $status
