package org.azuremail.subscription.store;

import java.util.ArrayList;
import java.util.List;
import org.azuremail.list.ListName;
import org.azuremail.list.OptIn;
import org.azuremail.storage.Page;
import org.azuremail.subscription.SubscriptionWorld;

/** A directory of the people on one or two lists. */
abstract class OnPersonDirectory {

    static final String ANN = "ann@example.org";
    static final String BOB = "bob@example.org";
    static final ListName OTHER = new ListName("other_list");

    SubscriptionWorld world = new SubscriptionWorld(OptIn.SINGLE);

    PersonDirectory directory() {
        return new PersonDirectory(world.simulated.tables(), Runnable::run);
    }

    List<String> found(String beginning) {
        List<String> found = new ArrayList<>();
        String cursor = null;
        do {
            Page<PersonDirectory.Entry> page = directory().search(beginning, cursor, 1000);
            page.items().forEach(entry -> found.add(entry.address() + " " + entry.list()));
            cursor = page.continuation();
        } while (cursor != null);
        return found;
    }
}
