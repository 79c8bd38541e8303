#!/usr/bin/env sh
# Moves everything from the embedded storage to an Azure Storage account or back, while the service is stopped.
#   infra/copy.sh <jar of web, scheduler or sender> <from> <to> [--stopped] [--leave-hidden] [--abandon]
# <from> and <to>: embedded:<data directory>, or azure, whose settings are in the environment
# (AZUREMAIL_AZURE_CONNECTION_STRING, or AZUREMAIL_AZURE_ACCOUNT under a managed identity).
# Exit code 0: both sides are equal. 1: not yet; the message says why, and the same command continues.
set -eu
# Only its owner may read what this creates.
umask 077
if [ $# -lt 3 ]; then
    echo "usage: $0 <jar> <from> <to> [--stopped] [--leave-hidden] [--abandon]" >&2
    exit 2
fi
jar=$1
shift
if [ ! -f "$jar" ]; then
    echo "there is no $jar: 'mvn -DskipTests package' builds the jars" >&2
    exit 2
fi
# Java reads names of files in the encoding of the locale; under cron, that is often ASCII.
if [ "$(locale charmap 2>/dev/null)" != UTF-8 ]; then
    export LC_ALL=C.UTF-8
fi
exec java -Xmx256m -XX:+ExitOnOutOfMemoryError -Dloader.main=org.azuremail.copy.CopyCommand \
    -cp "$jar" org.springframework.boot.loader.launch.PropertiesLauncher "$@"
