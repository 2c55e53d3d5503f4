#include "potentials/tet_lanes.hpp"

#include <cstdlib>
#include <string_view>

namespace rubato {

namespace isa_baseline {
const void* tet_lanes_table(const char* name);
}
#if defined(RUBATO_WIDER_ISAS)
namespace isa_v3 {
const void* tet_lanes_table(const char* name);
}
namespace isa_v4 {
const void* tet_lanes_table(const char* name);
}
#endif

namespace {

struct Isa {
    const char* name;
    const void* (*table)(const char*);
};

Isa widest()
{
#if defined(RUBATO_WIDER_ISAS)
    const char* wanted = std::getenv("RUBATO_ISA");
    const std::string_view most = wanted != nullptr ? wanted : "v4";
    if (most == "v4" && __builtin_cpu_supports("x86-64-v4")) return {"v4", &isa_v4::tet_lanes_table};
    if (most != "baseline" && __builtin_cpu_supports("x86-64-v3")) return {"v3", &isa_v3::tet_lanes_table};
#endif
    return {"baseline", &isa_baseline::tet_lanes_table};
}

const Isa& chosen()
{
    static const Isa isa = widest();
    return isa;
}

} // namespace

const void* tet_lanes_table_for(const char* material) { return chosen().table(material); }

const char* tet_lanes_isa() { return chosen().name; }

} // namespace rubato
