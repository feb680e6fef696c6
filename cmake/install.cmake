# What is installed, and how others find it: find_package(abut COMPONENTS ..) and pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Of each part: the parts below it from the ground up, and what a program must link besides when abut is static (a shared
# one brings it along), by its name in CMake and in pkg-config. A library that a part links PRIVATE
# belongs here; tests/build/package_test.sh fails when one is missing.
set(ABUT_solve_PARTS)
set(ABUT_solve_PACKAGES)
set(ABUT_solve_PC)
set(ABUT_core_PARTS solve)
set(ABUT_core_PACKAGES Qhull TBB)
set(ABUT_core_PC qhull_r tbb)
set(ABUT_load_PARTS solve core)
set(ABUT_load_PACKAGES pugixml assimp PNG Threads console_bridge urdfdom)
set(ABUT_load_PC pugixml assimp libpng console_bridge urdfdom)
set(ABUT_record_PARTS solve core)
set(ABUT_record_PACKAGES HDF5 Threads)
set(ABUT_record_PC hdf5-serial)
set(ABUT_haptic_PARTS solve core record)
set(ABUT_haptic_PACKAGES Threads)
set(ABUT_haptic_PC)
set(ABUT_view_PARTS solve core record haptic)
set(ABUT_view_PACKAGES Threads)
set(ABUT_view_PC)
set(ABUT_solve_ABOUT "solvers for complementarity problems")
set(ABUT_core_ABOUT "the simulator")
set(ABUT_load_ABOUT "worlds and robots from MJCF, URDF and mesh files")
set(ABUT_record_ABOUT "recordings and FCLIB's problems, in HDF5")
set(ABUT_haptic_ABOUT "haptic devices, and the loop that renders forces to them")
set(ABUT_view_ABOUT "pages, plots and the live viewer")

# Public headers: the one list.
file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/public_headers.txt lines REGEX "^abut/")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/public_headers.txt)
foreach(line ${lines})
  string(REGEX MATCH "^[^ ]+" header "${line}")
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()

foreach(part ${ABUT_PARTS})
  set_target_properties(abut_${part} PROPERTIES VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  install(TARGETS abut_${part} EXPORT abutTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()
foreach(program abut-tool abut-reproduce abut-mpi)
  if(TARGET ${program})
    set_target_properties(${program} PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
    # (`make demo` builds no experiments, and what is not built is not installed)
    install(TARGETS ${program} OPTIONAL)
  endif()
endforeach()
if(EXISTS ${PROJECT_SOURCE_DIR}/worlds)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/worlds DESTINATION ${CMAKE_INSTALL_DATADIR}/abut)
endif()

# CMake
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/abut)
get_target_property(ABUT_TYPE abut_solve TYPE)
set(ABUT_CONFIG_PARTS "set(ABUT_PARTS ${ABUT_PARTS})\n")
foreach(part ${ABUT_PARTS})
  set(packages "")
  if(ABUT_TYPE STREQUAL "STATIC_LIBRARY")
    set(packages ${ABUT_${part}_PACKAGES})
  endif()
  string(APPEND ABUT_CONFIG_PARTS "set(ABUT_${part}_PARTS ${ABUT_${part}_PARTS})\n"
                                  "set(ABUT_${part}_PACKAGES ${packages})\n")
endforeach()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/abutConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/abutConfig.cmake
                              INSTALL_DESTINATION ${config_dir})
# below 1.0 a minor version may change anything
write_basic_package_version_file(${PROJECT_BINARY_DIR}/abutConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(EXPORT abutTargets NAMESPACE abut:: DESTINATION ${config_dir})
install(FILES ${PROJECT_BINARY_DIR}/abutConfig.cmake ${PROJECT_BINARY_DIR}/abutConfigVersion.cmake
        DESTINATION ${config_dir})

# pkg-config: abut-solve.pc .. for each part, abut.pc for all. The prefix is found from the file's own
# place, so that a tree can be installed anywhere and moved. For a static library even a plain `--libs`
# must name what it needs, or nobody could link to it.
file(RELATIVE_PATH ABUT_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" ABUT_PC_TO_PREFIX "${ABUT_PC_TO_PREFIX}")
function(abut_pkg_config name about libs requires requires_private)
  set(ABUT_PC_NAME ${name})
  set(ABUT_PC_ABOUT "${about}")
  set(ABUT_PC_LIBS "${libs}")
  string(REPLACE ";" " " ABUT_PC_REQUIRES "${requires}")
  string(REPLACE ";" " " ABUT_PC_REQUIRES_PRIVATE "${requires_private}")
  configure_file(${PROJECT_SOURCE_DIR}/cmake/abut.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
foreach(part ${ABUT_PARTS})
  # the part right below, whose own file names the next: static libraries are linked in this order
  set(below "")
  if(ABUT_${part}_PARTS)
    list(GET ABUT_${part}_PARTS -1 below)
    string(PREPEND below abut-)
  endif()
  set(libs "-L\${libdir} -labut_${part}")
  if(ABUT_TYPE STREQUAL "STATIC_LIBRARY")
    abut_pkg_config(abut-${part} "${ABUT_${part}_ABOUT}" "${libs}" "${below};eigen3;${ABUT_${part}_PC}" "")
  else()
    abut_pkg_config(abut-${part} "${ABUT_${part}_ABOUT}" "${libs}" "${below};eigen3" "${ABUT_${part}_PC}")
  endif()
endforeach()
set(all ${ABUT_PARTS})
list(TRANSFORM all PREPEND abut-)
list(REVERSE all)
abut_pkg_config(abut "${PROJECT_DESCRIPTION}" "" "${all}" "")
