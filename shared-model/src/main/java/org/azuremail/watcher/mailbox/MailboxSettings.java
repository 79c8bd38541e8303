package org.azuremail.watcher.mailbox;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The settings of a watcher of a mailbox, all but the password.
 *
 * @param moveTo the folder for messages that are done; empty where they are deleted
 */
record MailboxSettings(
        boolean imap,
        Security security,
        String host,
        int port,
        String username,
        String folder,
        String moveTo,
        Duration interval) {

    static final String PASSWORD = "password";

    /** The encryption of the connection; each is a value of the setting, in small letters. */
    enum Security {
        /** From its beginning. */
        TLS,
        /** After the first words; never without. */
        STARTTLS,
        NONE
    }

    private static final Pattern HOST =
            Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?|[0-9a-fA-F:]{2,45}");
    private static final int LONGEST_TEXT = 250;

    /** The faults by field; codes as {@code WatcherKind.faults} says. */
    static Map<String, String> faults(Map<String, String> settings) {
        Map<String, String> faults = new HashMap<>();
        if (!settings.getOrDefault("protocol", "imap").matches("imap|pop3")) {
            faults.put("protocol", "mailbox-protocol");
        }
        if (!settings.getOrDefault("security", "tls").matches("tls|starttls|none")) {
            faults.put("security", "mailbox-security");
        }
        if (!HOST.matcher(settings.getOrDefault("host", "").strip()).matches()) {
            faults.put("host", "mailbox-host");
        }
        if (outside(settings, "port", 65_535)) {
            faults.put("port", "mailbox-port");
        }
        if (outside(settings, "minutes", 1_440)) {
            faults.put("minutes", "mailbox-minutes");
        }
        if (!isLine(settings.getOrDefault("username", ""))) {
            faults.put("username", "mailbox-username");
        }
        String password = settings.getOrDefault(PASSWORD, "");
        if (!password.isEmpty() && !isLine(password)) {
            faults.put(PASSWORD, "mailbox-password");
        }
        faultsOfFolders(settings, faults);
        return faults;
    }

    private static void faultsOfFolders(Map<String, String> settings, Map<String, String> faults) {
        String folder = settings.getOrDefault("folder", "INBOX");
        String moveTo = settings.getOrDefault("moveTo", "Processed");
        String done = settings.getOrDefault("done", "");
        if (!isLine(folder)) {
            faults.put("folder", "mailbox-folder");
        }
        if (!done.matches("|move|delete")) {
            faults.put("done", "mailbox-done");
        } else if (done.equals("move") && settings.getOrDefault("protocol", "").equals("pop3")) {
            faults.put("done", "mailbox-done-pop3");
        }
        if (!isLine(moveTo) || moveTo.equalsIgnoreCase(folder)) {
            faults.put("moveTo", "mailbox-move-to");
        }
    }

    private static boolean isLine(String text) {
        return !text.isBlank()
                && text.length() <= LONGEST_TEXT
                && text.codePoints().noneMatch(Character::isISOControl);
    }

    private static boolean outside(Map<String, String> settings, String name, int most) {
        String text = settings.getOrDefault(name, "1");
        return !text.matches("[0-9]{1,5}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > most;
    }

    static MailboxSettings of(Map<String, String> settings) {
        boolean imap = settings.getOrDefault("protocol", "imap").equals("imap");
        Security security =
                Security.valueOf(settings.getOrDefault("security", "tls").toUpperCase(Locale.ROOT));
        boolean moves = imap && settings.getOrDefault("done", "move").equals("move");
        String port = settings.get("port");
        return new MailboxSettings(
                imap,
                security,
                settings.getOrDefault("host", "").strip(),
                port == null ? usualPort(imap, security) : Integer.parseInt(port),
                settings.getOrDefault("username", "").strip(),
                imap ? settings.getOrDefault("folder", "INBOX") : "INBOX",
                moves ? settings.getOrDefault("moveTo", "Processed") : "",
                Duration.ofMinutes(Integer.parseInt(settings.getOrDefault("minutes", "5"))));
    }

    boolean moves() {
        return !moveTo.isEmpty();
    }

    private static int usualPort(boolean imap, Security security) {
        if (security == Security.TLS) {
            return imap ? 993 : 995;
        }
        return imap ? 143 : 110;
    }
}
