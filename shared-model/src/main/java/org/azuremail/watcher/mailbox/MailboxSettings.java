package org.azuremail.watcher.mailbox;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The settings of a mailbox watcher, except the password.
 *
 * @param moveTo the folder for messages that are done; empty to delete them
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

    static final Map<String, String> DEFAULTS = Map.of(
            "host", "",
            "port", "",
            "username", "",
            "protocol", "imap",
            "security", "tls",
            "folder", "INBOX",
            "done", "move",
            "moveTo", "Processed",
            "minutes", "5");

    /** The encryption of the connection. Each name is a value of the setting, in lower case. */
    enum Security {
        /** Encrypted from the beginning. */
        TLS,
        /** Encrypted after the greeting, and refused if the server does not offer it. */
        STARTTLS,
        NONE
    }

    private static final Pattern HOST =
            Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?|[0-9a-fA-F:]{2,45}");
    private static final int MAX_TEXT_LENGTH = 250;

    /** Returns the faults by field, as codes that {@code WatcherKind.faults} explains. */
    static Map<String, String> faults(Map<String, String> settings) {
        Map<String, String> faults = new HashMap<>();
        require(text(settings, "protocol").matches("imap|pop3"), "protocol", "mailbox-protocol", faults);
        require(text(settings, "security").matches("tls|starttls|none"), "security", "mailbox-security", faults);
        require(HOST.matcher(text(settings, "host").strip()).matches(), "host", "mailbox-host", faults);
        require(within(settings, "port", 65_535), "port", "mailbox-port", faults);
        require(within(settings, "minutes", 1_440), "minutes", "mailbox-minutes", faults);
        require(isLine(text(settings, "username")), "username", "mailbox-username", faults);
        String password = text(settings, PASSWORD);
        require(password.isEmpty() || isLine(password), PASSWORD, "mailbox-password", faults);
        String folder = text(settings, "folder");
        String moveTo = text(settings, "moveTo");
        require(isLine(folder), "folder", "mailbox-folder", faults);
        require(isLine(moveTo) && !moveTo.equalsIgnoreCase(folder), "moveTo", "mailbox-move-to", faults);
        String done = settings.getOrDefault("done", "");
        boolean moves = done.equals("move");
        require(!moves || !text(settings, "protocol").equals("pop3"), "done", "mailbox-done-pop3", faults);
        require(done.matches("|move|delete"), "done", "mailbox-done", faults);
        return faults;
    }

    private static void require(boolean fits, String setting, String code, Map<String, String> faults) {
        if (!fits) {
            faults.put(setting, code);
        }
    }

    private static String text(Map<String, String> settings, String name) {
        return settings.getOrDefault(name, DEFAULTS.getOrDefault(name, ""));
    }

    private static boolean isLine(String text) {
        return !text.isBlank()
                && text.length() <= MAX_TEXT_LENGTH
                && text.codePoints().noneMatch(Character::isISOControl);
    }

    private static boolean within(Map<String, String> settings, String name, int most) {
        String text = settings.getOrDefault(name, "1");
        return text.matches("[0-9]{1,5}") && Integer.parseInt(text) >= 1 && Integer.parseInt(text) <= most;
    }

    static MailboxSettings of(Map<String, String> settings) {
        boolean imap = text(settings, "protocol").equals("imap");
        Security security = Security.valueOf(text(settings, "security").toUpperCase(Locale.ROOT));
        boolean moves = imap && text(settings, "done").equals("move");
        String port = settings.get("port");
        return new MailboxSettings(
                imap,
                security,
                text(settings, "host").strip(),
                port == null ? usualPort(imap, security) : Integer.parseInt(port),
                text(settings, "username").strip(),
                imap ? text(settings, "folder") : "INBOX",
                moves ? text(settings, "moveTo") : "",
                Duration.ofMinutes(Integer.parseInt(text(settings, "minutes"))));
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
