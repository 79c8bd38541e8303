#!/usr/bin/env sh
# Backs up the embedded storage, even while the service runs on it.
#   infra/backup.sh <jar of web, scheduler or sender> <data directory> <file to create>
# Exit code 0: the backup is complete, checked and on the disk. Anything else: there is none.
set -eu
# Only its owner may read what this creates.
umask 077
if [ $# -ne 3 ]; then
    echo "usage: $0 <jar> <data directory> <file to create>" >&2
    exit 2
fi
if [ ! -f "$1" ]; then
    echo "there is no $1: 'mvn -DskipTests package' builds the jars" >&2
    exit 2
fi
# Java reads names of files in the encoding of the locale; under cron, that is often ASCII.
if [ "$(locale charmap 2>/dev/null)" != UTF-8 ]; then
    export LC_ALL=C.UTF-8
fi
exec java -Xmx64m -XX:+ExitOnOutOfMemoryError -Dloader.main=org.azuremail.storage.embedded.BackupCommand \
    -cp "$1" org.springframework.boot.loader.launch.PropertiesLauncher "$2" "$3"
