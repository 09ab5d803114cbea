# cmake --install build/release --prefix DIR: the program finds its modules and libraries by paths relative to itself, so that DIR may
# be moved. The man page and the completions are written by the program, from its table of commands.
if(TARGET cutset)
  install(TARGETS cutset RUNTIME DESTINATION bin)
  foreach(module cutset_native_module cutset_optimizers_module)
    if(TARGET ${module})
      set_target_properties(${module} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)  # LLVM may have a directory of its own
      install(TARGETS ${module} LIBRARY DESTINATION lib/cutset)
    endif()
  endforeach()
  install(DIRECTORY libraries examples DESTINATION share/cutset)
  install(DIRECTORY build/studio DESTINATION share/cutset OPTIONAL)  # the page, where ./cutset studio or ./test has built it
  install(FILES include/cutset_system.h include/cutset_fortran.c DESTINATION include)
  install(DIRECTORY docs/ DESTINATION share/doc/cutset/docs)
  install(FILES README.md CHANGELOG.md LICENSE DESTINATION share/doc/cutset)

  set(generated ${CMAKE_BINARY_DIR}/share)
  install(CODE "
    execute_process(COMMAND $<TARGET_FILE:cutset> --print-man OUTPUT_FILE ${generated}/man COMMAND_ERROR_IS_FATAL ANY)
    foreach(shell bash zsh fish)
      execute_process(COMMAND $<TARGET_FILE:cutset> --print-completion \${shell} OUTPUT_FILE ${generated}/\${shell}
        COMMAND_ERROR_IS_FATAL ANY)
    endforeach()")
  file(MAKE_DIRECTORY ${generated})
  install(FILES ${generated}/man DESTINATION share/man/man1 RENAME cutset.1)
  install(FILES ${generated}/bash DESTINATION share/bash-completion/completions RENAME cutset)
  install(FILES ${generated}/zsh DESTINATION share/zsh/site-functions RENAME _cutset)
  install(FILES ${generated}/fish DESTINATION share/fish/vendor_completions.d RENAME cutset.fish)
endif()
