# Puts every scenes/**/*.json and every bodies/*.blobs into the library, so that `rubato run NAME` works wherever the
# program is.
#
# Included by the main CMakeLists.txt it defines rubato_embed(target); run as a script (cmake -P) with OUTPUT and ROOT it
# writes the source file.

if(CMAKE_SCRIPT_MODE_FILE)
    cmake_minimum_required(VERSION 3.25)
    set(source "// Written by src/scene/embed.cmake.\n#include \"scene/mesh_catalog.hpp\"\n#include \"scene/scene.hpp\"\n")
    string(APPEND source "\nnamespace rubato {\n")
    # Usage: embed(type function pattern): `function` returns one {name, path, text} of `type` per file.
    macro(embed type function pattern)
        file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/${pattern})
        list(SORT files)
        string(APPEND source "\nconst std::vector<${type}>& ${function}()\n{\n    static const std::vector<${type}> all{\n")
        set(names "")
        foreach(path IN LISTS files)
            get_filename_component(name ${path} NAME_WE)
            if(name IN_LIST names)
                message(FATAL_ERROR "two files of ${pattern} are called ${name}: built-in names must differ")
            endif()
            list(APPEND names ${name})
            file(READ ${ROOT}/${path} text)
            string(APPEND source "        {\"${name}\", \"${path}\", R\"text~(${text})text~\"},\n")
        endforeach()
        string(APPEND source "    };\n    return all;\n}\n")
    endmacro()
    embed(BuiltinScene builtin_scenes scenes/*.json)
    embed(BuiltinBody builtin_bodies bodies/*.blobs)
    string(APPEND source "\n} // namespace rubato\n")
    file(WRITE ${OUTPUT} "${source}")
    return()
endif()

set(rubato_embed_script ${CMAKE_CURRENT_LIST_FILE})

function(rubato_embed target)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/scenes/*.json ${CMAKE_SOURCE_DIR}/bodies/*.blobs)
    set(output ${CMAKE_BINARY_DIR}/builtin.cpp)
    string(MD5 listing "${files}") # a file that was removed changes the command
    add_custom_command(OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DROOT=${CMAKE_SOURCE_DIR} -DLISTING=${listing}
            -P ${rubato_embed_script}
        DEPENDS ${files} ${rubato_embed_script}
        COMMENT "Embedding scenes and bodies"
        VERBATIM)
    target_sources(${target} PRIVATE ${output})
endfunction()
