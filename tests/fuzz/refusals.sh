#!/bin/bash
# Usage: refusals.sh COMPILER RUBATO_FUZZ: where the machine refuses a process or memory, rubato-fuzz says so and ends
# with 2. It neither claims to have asked the inputs nor makes a finding of it.
compiler=$1 fuzz=$2
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# To be loaded before all other libraries: refuses what the environment names, as a machine does that is short of it.
cat >"$folder/refusals.cpp" <<'END'
#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

int forks = 0; // of this process and those that led to it

template <class Function>
Function* next(const char* name)
{
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" pid_t fork() noexcept
{
    const char* refused = std::getenv("REFUSED_FORK"); // the first is 1
    if (refused == nullptr || ++forks != std::atoi(refused)) return next<pid_t()>("fork")();
    errno = EAGAIN;
    return -1;
}

extern "C" void* mmap(void* place, size_t size, int protection, int flags, int file, off_t offset) noexcept
{
    if (std::getenv("REFUSED_MMAP") == nullptr || (flags & MAP_SHARED) == 0 || (flags & MAP_ANONYMOUS) == 0)
        return next<void*(void*, size_t, int, int, int, off_t)>("mmap")(place, size, protection, flags, file, offset);
    errno = ENOMEM;
    return MAP_FAILED;
}
END
"$compiler" -shared -fPIC -o "$folder/refusals.so" "$folder/refusals.cpp" -ldl || exit 1

failed=0
expect() { # what is said, then what is refused, then words
    local said=$1 refused=$2
    shift 2
    env "$refused" LD_PRELOAD="$folder/refusals.so" "$fuzz" --inputs 2 --findings "$folder/findings" "$@" \
        >"$folder/out" 2>&1
    local status=$?
    if [[ $status != 2 ]] || ! grep -q "$said" "$folder/out" || [[ -e $folder/findings ]]; then
        echo "with $refused: status $status"
        cat "$folder/out"
        failed=1
    fi
    rm -rf "$folder/findings"
}
expect "cannot start a worker" REFUSED_FORK=1
expect "no memory to share" REFUSED_MMAP=1
expect "input 0 could not be asked: cannot start the program" REFUSED_FORK=2 --only program --program /bin/true
exit $failed
