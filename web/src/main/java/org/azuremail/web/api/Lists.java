package org.azuremail.web.api;

import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.Versioned;

/** Finds the lists that calls name. */
public final class Lists {

    private Lists() {}

    /** @throws RefusedCall when there is no such list */
    public static MailingList require(ListStore lists, String name) {
        return find(lists, name).value();
    }

    /** As {@link #require}, with the ETag under which the list can be changed. */
    public static Versioned<MailingList> find(ListStore lists, String name) {
        return ListName.parse(name).flatMap(lists::find).orElseThrow(() -> unknown(name));
    }

    public static RefusedCall unknown(Object name) {
        return RefusedCall.notFound("There is no list " + name + ".");
    }
}
