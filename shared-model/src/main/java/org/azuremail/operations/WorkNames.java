package org.azuremail.operations;

import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.mailclass.MailClass;
import org.azuremail.mailclass.MailClasses;

/** The names of queues and scheduled services for people, from messages.properties; that of a queue of messages has its class. */
public record WorkNames(MailClasses classes) {

    private static final ResourceBundle TEXTS =
            ResourceBundle.getBundle("messages", Locale.ROOT, WorkNames.class.getClassLoader());

    /** The purpose of a queue, or of a partition of one; empty when it has no text. */
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

    /** The purpose of a scheduled service; empty when it has no text. */
    public String service(String name) {
        return text("service." + name);
    }

    /** The purpose of either; its own name where it has no text. */
    public String label(String name) {
        String label = queue(name).isEmpty() ? service(name) : queue(name);
        return label.isEmpty() ? name : label;
    }

    /** As {@link #label}, with the name in brackets. */
    public String called(String name) {
        String label = label(name);
        return label.equals(name) ? name : label + " (" + name + ")";
    }

    private static String text(String key) {
        return TEXTS.containsKey(key) ? TEXTS.getString(key) : "";
    }
}
