package org.azuremail.storage.embedded;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.azuremail.storage.StorageException;
import org.azuremail.time.Time;

/**
 * The command that writes a backup of a data directory, even while the service uses it. Its two arguments are the data
 * directory and the file to create.
 */
final class BackupCommand {

    private BackupCommand() {}

    /** Exits with 0 if the backup is complete and on disk, 1 if no backup was made, or 2 if the arguments are wrong. */
    public static void main(String[] arguments) {
        System.exit(run(arguments, Time.system(), System.out, System.err));
    }

    static int run(String[] arguments, Time time, PrintStream out, PrintStream err) {
        if (arguments.length != 2) {
            err.println("usage: BackupCommand <data directory> <file to create>");
            return 2;
        }
        Path directory = Path.of(arguments[0]);
        Path target = Path.of(arguments[1]);
        if (!Files.exists(directory.resolve(DataFile.NAME))) {
            err.println("there is no " + DataFile.NAME + " in " + directory.toAbsolutePath());
            return 1;
        }
        try {
            Backup.copy(DataFile.in(directory), target, time);
            out.println("backup written: " + target.toAbsolutePath() + ", " + Files.size(target) + " bytes");
            return 0;
        } catch (StorageException | IOException e) {
            err.println("no backup was made: " + e.getMessage());
            return 1;
        }
    }
}
