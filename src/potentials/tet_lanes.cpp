#include "potentials/tet_lanes.hpp"

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

/// Those that this processor can do, the widest first.
std::vector<Isa> possible()
{
    std::vector<Isa> out;
#if defined(RUBATO_WIDER_ISAS)
    if (__builtin_cpu_supports("x86-64-v4")) out.push_back({"v4", &isa_v4::tet_lanes_table});
    if (__builtin_cpu_supports("x86-64-v3")) out.push_back({"v3", &isa_v3::tet_lanes_table});
#endif
    out.push_back({"baseline", &isa_baseline::tet_lanes_table});
    return out;
}

const std::vector<Isa>& isas()
{
    static const std::vector<Isa> all = possible();
    return all;
}

} // namespace

std::vector<std::string> tet_lanes_isas()
{
    std::vector<std::string> out;
    for (const Isa& isa : isas()) out.emplace_back(isa.name);
    return out;
}

const void* tet_lanes_table_for(const char* material, const std::string& isa)
{
    for (const Isa& each : isas()) {
        if (isa.empty() || each.name == isa) return each.table(material);
    }
    return nullptr;
}

} // namespace rubato
