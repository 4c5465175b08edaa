# The toolkit in the frameworks of users, and in a user's project.
tenon_reading_test(testing.frameworks testing/frameworks_test.sh ${CMAKE_CXX_COMPILER} ${include_flags})
tenon_reading_test(testing.consumer testing/consumer_test.sh ${PROJECT_SOURCE_DIR} ${CMAKE_CXX_COMPILER})
set_tests_properties(testing.frameworks testing.consumer PROPERTIES PROCESSORS 1)
