@echo off
rem Lightpath is built with a POSIX shell; under Windows use WSL or Git Bash.
bash "%~dp0mvnw" %*
