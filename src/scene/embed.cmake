# Puts every scenes/**/*.json into the library, so that `rubato run NAME` works wherever the program is.
#
# Included by the main CMakeLists.txt it defines rubato_embed_scenes(target); run as a script (cmake -P) with OUTPUT and
# SCENE_ROOT it writes the source file.

if(CMAKE_SCRIPT_MODE_FILE)
    cmake_minimum_required(VERSION 3.25)
    file(GLOB_RECURSE files RELATIVE ${SCENE_ROOT} ${SCENE_ROOT}/scenes/*.json)
    list(SORT files)
    string(CONCAT source "// Written by src/scene/embed.cmake.\n#include \"scene/scene.hpp\"\n\nnamespace rubato {\n\n"
        "const std::vector<BuiltinScene>& builtin_scenes()\n{\n    static const std::vector<BuiltinScene> scenes{\n")
    set(names "")
    foreach(path IN LISTS files)
        get_filename_component(name ${path} NAME_WE)
        if(name IN_LIST names)
            message(FATAL_ERROR "two scenes are called ${name}: names of built-in scenes must differ")
        endif()
        list(APPEND names ${name})
        file(READ ${SCENE_ROOT}/${path} text)
        string(APPEND source "        {\"${name}\", \"${path}\", R\"scene~(${text})scene~\"},\n")
    endforeach()
    string(APPEND source "    };\n    return scenes;\n}\n\n} // namespace rubato\n")
    file(WRITE ${OUTPUT} "${source}")
    return()
endif()

set(rubato_embed_script ${CMAKE_CURRENT_LIST_FILE})

function(rubato_embed_scenes target)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/scenes/*.json)
    set(output ${CMAKE_BINARY_DIR}/builtin_scenes.cpp)
    string(MD5 listing "${files}") # a scene that was removed changes the command
    add_custom_command(OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DSCENE_ROOT=${CMAKE_SOURCE_DIR} -DLISTING=${listing}
            -P ${rubato_embed_script}
        DEPENDS ${files} ${rubato_embed_script}
        COMMENT "Embedding the scenes"
        VERBATIM)
    target_sources(${target} PRIVATE ${output})
endfunction()
