# Shared by up and down, which source it: where everything is, and how it is stopped.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
home=${AZUREMAIL_LOCAL_HOME:-$root/data/local}
logs=$home/logs
pids=$home/pids
stop_seconds=30

say() {
    echo "azuremail: $*"
}

# The process with this name, if it runs and is ours: its number may belong to another program by now.
pid_of() {
    local pid
    pid=$(cat "$pids/$1" 2>/dev/null) || return 1
    case $(ps -ww -o args= -p "$pid" 2>/dev/null) in
        *"$home"* | *bash*up*) echo "$pid" ;;
        *) return 1 ;;
    esac
}

# Asks all of them at once to end, waits, and kills those that have not ended.
stop_together() {
    local name pid running=() left=$((stop_seconds * 5))
    for name in "$@"; do
        if pid=$(pid_of "$name"); then
            kill -TERM "$pid" 2>/dev/null || true
            running+=("$name")
        fi
    done
    [ ${#running[@]} -gt 0 ] || return 0
    say "stopping ${running[*]}"
    while any_of "${running[@]}" && [ "$left" -gt 0 ]; do
        sleep 0.2
        left=$((left - 1))
    done
    for name in "${running[@]}"; do
        if pid=$(pid_of "$name"); then
            say "$name did not end within $stop_seconds s and is killed"
            kill -KILL "$pid" 2>/dev/null || true
        fi
        rm -f "$pids/$name"
    done
}

any_of() {
    local name
    for name in "$@"; do
        if pid_of "$name" >/dev/null; then
            return 0
        fi
    done
    return 1
}

# Senders before schedulers and web, which create their work; the storage last.
stop_all() {
    stop_together sender-1 sender-2 sender-3
    stop_together scheduler-1 scheduler-2
    stop_together web
    stop_together azurite
}
