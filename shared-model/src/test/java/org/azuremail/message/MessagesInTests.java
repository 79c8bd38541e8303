package org.azuremail.message;

import java.net.URI;
import org.azuremail.app.Wiring;
import org.azuremail.content.BodiesInTests;
import org.azuremail.gallery.Gallery;
import org.azuremail.id.CompactIds;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;

/** Messages on a storage whose signals reach no process. */
public final class MessagesInTests {

    private MessagesInTests() {}

    public static Messages on(Storage storage, Time time) {
        Wiring wiring = new Wiring("storage", "list", "message");
        wiring.give(storage);
        wiring.give(BodiesInTests.bodies());
        wiring.give(new Gallery(storage.tables(), URI.create("http://localhost")));
        wiring.give(new CompactIds(storage));
        wiring.give(Signals.NONE);
        wiring.give(time);
        return wiring.get(Messages.class);
    }

    /** Returns a change that keeps the mail class, the source of the HTML and whether the message waits. */
    public static Messages.Change change(
            ListName list,
            String subject,
            byte @Nullable [] html,
            byte @Nullable [] text,
            Schedule schedule,
            OnUnknown onUnknown) {
        return new Messages.Change(
                Audience.of(list), subject, html, null, null, text, schedule, onUnknown, null, Messages.Hold.AS_IT_WAS);
    }
}
