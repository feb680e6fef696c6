# The page of the viewer, built by npm and vite into one script that the library carries, compressed.
option(ABUT_BUILD_WEB "Build the viewer's page (npm)" ON)
set(ABUT_VIEWER_SCRIPT ${PROJECT_BINARY_DIR}/web/viewer.js.gz)
if(ABUT_BUILD_WEB)
  file(GLOB_RECURSE ABUT_WEB_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*)
  add_custom_command(OUTPUT ${ABUT_VIEWER_SCRIPT}
    COMMAND ${PROJECT_SOURCE_DIR}/cmake/web.sh ${PROJECT_SOURCE_DIR}/web ${ABUT_VIEWER_SCRIPT}
    DEPENDS ${ABUT_WEB_SOURCES} ${PROJECT_SOURCE_DIR}/web/package.json
            ${PROJECT_SOURCE_DIR}/web/package-lock.json ${PROJECT_SOURCE_DIR}/web/vite.config.ts
            ${PROJECT_SOURCE_DIR}/cmake/web.sh
    COMMENT "Building the viewer's page" VERBATIM)
else()
  file(WRITE ${ABUT_VIEWER_SCRIPT} "")
endif()
