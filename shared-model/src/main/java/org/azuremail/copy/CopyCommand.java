package org.azuremail.copy;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.azuremail.copy.StorageCopy.CopyOptions;
import org.azuremail.copy.StorageCopy.CopyResult;
import org.azuremail.id.IdSource;
import org.azuremail.storage.RestoredBackup;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.azure.AzureAccount;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.time.Time;

/**
 * The command that moves everything from one storage to another while the service is stopped. Its first two arguments
 * name the storages: {@code embedded:<data directory>}, or {@code azure} with settings from the environment. Options
 * follow.
 */
final class CopyCommand {

    private static final String EMBEDDED = "embedded:";
    private static final String AZURE = "azure";
    private static final String STOPPED = "--stopped";
    private static final String LEAVE_HIDDEN = "--leave-hidden";
    private static final String ABANDON = "--abandon";
    private static final Set<String> OPTIONS = Set.of(STOPPED, LEAVE_HIDDEN, ABANDON);
    private static final String USAGE = "usage: CopyCommand <from> <to> [--stopped] [--leave-hidden] [--abandon]\n"
            + "  <from> and <to>: embedded:<data directory>, or azure with AZUREMAIL_AZURE_CONNECTION_STRING or"
            + " AZUREMAIL_AZURE_ACCOUNT set";

    private final Map<String, String> environment;
    private final Time time;
    private final PrintStream out;
    private final PrintStream err;
    private final List<EmbeddedStorage> opened = new ArrayList<>();

    CopyCommand(Map<String, String> environment, Time time, PrintStream out, PrintStream err) {
        this.environment = environment;
        this.time = time;
        this.out = out;
        this.err = err;
    }

    /**
     * Exits with 0 if everything was copied and is equal, or the copy was abandoned; with 2 if the arguments are wrong;
     * and otherwise with 1.
     */
    public static void main(String[] arguments) {
        System.exit(new CopyCommand(System.getenv(), Time.system(), System.out, System.err).run(arguments));
    }

    int run(String... arguments) {
        List<String> options = List.of(arguments).subList(Math.min(2, arguments.length), arguments.length);
        if (arguments.length < 2 || !OPTIONS.containsAll(options)) {
            err.println(USAGE);
            return 2;
        }
        try {
            CopyEndpoint source = open(arguments[0], true);
            return copy(source, open(arguments[1], false), options);
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            return 2;
        } catch (StorageException e) {
            err.println("the copy broke off: " + e.getMessage() + "\nThe same command continues it.");
            return 1;
        } finally {
            opened.forEach(EmbeddedStorage::close);
        }
    }

    private int copy(CopyEndpoint source, CopyEndpoint target, List<String> options) {
        StorageCopy copy = new StorageCopy(source, target, IdSource.secure(), time);
        CopyOptions vouched = new CopyOptions(options.contains(STOPPED), options.contains(LEAVE_HIDDEN));
        return print(options.contains(ABANDON) ? copy.abandon(vouched) : copy.run(vouched), target);
    }

    private CopyEndpoint open(String end, boolean mustExist) {
        if (end.equals(AZURE)) {
            return azure();
        }
        if (!end.startsWith(EMBEDDED) || end.length() == EMBEDDED.length()) {
            throw new IllegalArgumentException("neither embedded:<data directory> nor azure: " + end + "\n" + USAGE);
        }
        return embedded(Path.of(end.substring(EMBEDDED.length())), mustExist);
    }

    private CopyEndpoint embedded(Path directory, boolean mustExist) {
        if (mustExist && !EmbeddedStorage.isIn(directory)) {
            throw new IllegalArgumentException("there is no data file in " + directory.toAbsolutePath());
        }
        EmbeddedStorage storage = EmbeddedStorage.open(directory, time);
        opened.add(storage);
        return new CopyEndpoint(
                EMBEDDED + storage.path().getParent(),
                storage.storage(),
                storage::inventory,
                false,
                storage.restoredBackup());
    }

    private CopyEndpoint azure() {
        AzureAccount account = AzureAccount.open(
                environment.get("AZUREMAIL_AZURE_CONNECTION_STRING"),
                environment.get("AZUREMAIL_AZURE_ACCOUNT"),
                environment.get("AZUREMAIL_AZURE_CLIENT_ID"),
                time);
        return new CopyEndpoint(
                AZURE + ":" + account.name(), account.storage(), account::inventory, true, RestoredBackup.NONE);
    }

    private int print(CopyResult result, CopyEndpoint target) {
        if (result instanceof CopyResult.Finished finished) {
            out.print(finished.report() == null ? "" : finished.report());
            out.println("everything was copied: start the service on " + target.name());
            return 0;
        }
        if (result instanceof CopyResult.Abandoned) {
            out.println("the copy was given up: the service may start where it was; what is in " + target.name()
                    + " is worthless");
            return 0;
        }
        err.println(problem(result));
        return 1;
    }

    private static String problem(CopyResult result) {
        if (result instanceof CopyResult.Different different) {
            return different.report()
                    + "not everything is equal: run it again, which copies everything once more; if that does not help,"
                    + " a process writes to one of the two";
        }
        if (result instanceof CopyResult.Hidden hidden) {
            return "everything but " + hidden.items()
                    + " items of queues was moved: those are still hidden. Run it again"
                    + " in some minutes, or leave them behind with --leave-hidden";
        }
        return ((CopyResult.Refused) result).why();
    }
}
