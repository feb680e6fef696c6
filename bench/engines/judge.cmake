# The scenes of the race of engines and what judges it: for the race itself, and for its tests.
include_guard(GLOBAL)
set(engines ${CMAKE_CURRENT_LIST_DIR})
set(support ${CMAKE_CURRENT_LIST_DIR}/../support)

add_library(engines_scenes STATIC ${engines}/scene.cpp ${engines}/scene_linked.cpp ${engines}/scene_parts.cpp
                                  ${engines}/scene_text.cpp)
target_link_libraries(engines_scenes PRIVATE abut_warnings fmt::fmt nlohmann_json::nlohmann_json)

add_library(engines_judge STATIC ${engines}/judge.cpp ${engines}/table.cpp ${support}/engine.cpp
                                 ${support}/process.cpp)
target_include_directories(engines_judge PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(engines_judge PRIVATE abut_warnings
                                    PUBLIC engines_scenes abut fmt::fmt nlohmann_json::nlohmann_json)
