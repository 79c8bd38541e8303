package org.azuremail.operations;

import java.text.MessageFormat;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.mailclass.MailClass;
import org.azuremail.mailclass.MailClasses;
import org.azuremail.reason.Words;

/**
 * The readable names of queues and scheduled services, from messages.properties. The name of a queue of messages
 * includes its mail class.
 */
public record WorkNames(MailClasses classes) {

    /** Returns the purpose of a queue or a partition; empty if it has no text. */
    public String queue(String name) {
        String queue = name.replaceFirst("-p\\d+$", "");
        String ofClasses = MailItem.TYPE.queue();
        for (MailClass one : classes.all()) {
            if (one.queue(ofClasses).equals(queue)) {
                return text("queue." + ofClasses) + ", " + one;
            }
        }
        return queue.startsWith(ofClasses + "-")
                ? MessageFormat.format(text("queue.of-removed-class"), queue.substring(ofClasses.length() + 1))
                : text("queue." + queue);
    }

    /** Returns the purpose of a scheduled service; empty if it has no text. */
    public String service(String name) {
        return text("service." + name);
    }

    /** Returns the purpose of a queue or a scheduled service, or its own name if it has no text. */
    public String label(String name) {
        String label = queue(name).isEmpty() ? service(name) : queue(name);
        return label.isEmpty() ? name : label;
    }

    /** Returns the {@link #label}, followed by the name in parentheses. */
    public String called(String name) {
        String label = label(name);
        return label.equals(name) ? name : label + " (" + name + ")";
    }

    private static String text(String key) {
        return Words.find(key).orElse("");
    }
}
