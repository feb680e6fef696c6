# What is installed, and how others find it: find_package(abut) and pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# What a program must link besides a static abut (a shared one brings it along).
# A library that abut links PRIVATE belongs in both lists, by its name in CMake and
# in pkg-config; tests/build/package_test.sh fails when one is missing.
set(ABUT_PRIVATE_PACKAGES Qhull pugixml fmt assimp PNG HDF5 Threads console_bridge urdfdom TBB)
set(ABUT_PRIVATE_PC "qhull_r pugixml fmt assimp libpng hdf5-serial console_bridge urdfdom tbb")

set_target_properties(abut PROPERTIES VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
install(TARGETS abut EXPORT abutTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/abut TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
if(TARGET abut-tool)
  set_target_properties(abut-tool PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS abut-tool)
endif()
if(EXISTS ${PROJECT_SOURCE_DIR}/worlds)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/worlds DESTINATION ${CMAKE_INSTALL_DATADIR}/abut)
endif()

# CMake
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/abut)
get_target_property(ABUT_TYPE abut TYPE)
set(ABUT_LINK_PACKAGES "")
if(ABUT_TYPE STREQUAL "STATIC_LIBRARY")
  set(ABUT_LINK_PACKAGES ${ABUT_PRIVATE_PACKAGES})
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/abutConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/abutConfig.cmake
                              INSTALL_DESTINATION ${config_dir})
# below 1.0 a minor version may change anything
write_basic_package_version_file(${PROJECT_BINARY_DIR}/abutConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(EXPORT abutTargets NAMESPACE abut:: DESTINATION ${config_dir})
install(FILES ${PROJECT_BINARY_DIR}/abutConfig.cmake ${PROJECT_BINARY_DIR}/abutConfigVersion.cmake
        DESTINATION ${config_dir})

# pkg-config. The prefix is found from the file's own place, so that a tree can be
# installed anywhere and moved. For a static library even a plain `--libs` must name
# what it needs, or nobody could link to it.
file(RELATIVE_PATH ABUT_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" ABUT_PC_TO_PREFIX "${ABUT_PC_TO_PREFIX}")
if(ABUT_TYPE STREQUAL "STATIC_LIBRARY")
  set(ABUT_PC_REQUIRES "eigen3 ${ABUT_PRIVATE_PC}")
  set(ABUT_PC_REQUIRES_PRIVATE "")
else()
  set(ABUT_PC_REQUIRES eigen3)
  set(ABUT_PC_REQUIRES_PRIVATE "${ABUT_PRIVATE_PC}")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/abut.pc.in ${PROJECT_BINARY_DIR}/abut.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/abut.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
