package org.azuremail.work.run;

import java.nio.file.Path;
import org.azuremail.id.IdSource;
import org.azuremail.work.lease.Holders;

/** Prints a holder's name, and lives until it is killed or its input ends. */
public final class HoldingProcess {

    private HoldingProcess() {}

    public static void main(String[] arguments) throws Exception {
        Holders holders = Holders.onThisHost(Path.of(arguments[0]), IdSource.secure());
        System.out.println(holders.next());
        System.in.read();
    }
}
