include(${CMAKE_CURRENT_LIST_DIR}/tenonMpiTest.cmake)
