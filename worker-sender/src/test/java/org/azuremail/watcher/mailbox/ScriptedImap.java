package org.azuremail.watcher.mailbox;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One IMAP conversation (RFC 3501) with IDLE, MOVE and UIDPLUS. The UID of a letter is its number. */
final class ScriptedImap implements ScriptedMailbox.Dialogue {

    private static final Pattern PART = Pattern.compile("(\\d+) \\(?BODY\\.PEEK\\[]<(\\d+)\\.(\\d+)>\\)?");

    private final ScriptedMailbox mailbox;
    private final Set<Integer> deleted = new HashSet<>();
    private String waiting = "";
    private int told = Integer.MAX_VALUE;
    private boolean ended;

    ScriptedImap(ScriptedMailbox mailbox) {
        this.mailbox = mailbox;
    }

    @Override
    public String greeting() {
        return "* OK ready";
    }

    @Override
    public String answer(String command) {
        if (command.equals("DONE")) {
            String tag = waiting;
            waiting = "";
            return tag + " OK done";
        }
        String[] words = command.split(" ", 3);
        String tag = words[0];
        String rest = words.length > 2 ? words[2] : "";
        String lines =
                switch (words[1].toUpperCase(Locale.ROOT)) {
                    case "CAPABILITY" -> "* CAPABILITY IMAP4rev1 IDLE MOVE UIDPLUS\r\n";
                    case "LIST" -> "* LIST () \"/\" " + rest.substring(rest.lastIndexOf(' ') + 1) + "\r\n";
                    case "SELECT", "EXAMINE" -> select();
                    case "FETCH" -> fetch(rest);
                    case "STORE" -> store(rest);
                    case "UID" -> expunge(new HashSet<>(deleted));
                    case "MOVE" -> move(rest);
                    case "LOGOUT" -> logout();
                    default -> "";
                };
        if (words[1].equals("IDLE")) {
            waiting = tag;
            return news() + "+ go on";
        }
        return lines + news() + tag + (lines.isEmpty() && words[1].equals("FETCH") ? " NO damaged" : " OK done");
    }

    private String select() {
        told = mailbox.inbox.size();
        return "* FLAGS (\\Deleted)\r\n* " + told + " EXISTS\r\n* 0 RECENT\r\n* OK [UIDVALIDITY 1] valid\r\n";
    }

    /** Returns the UIDs or the part of a letter that a FETCH asks for, or nothing if the letter is withheld. */
    private String fetch(String what) {
        Matcher part = PART.matcher(what);
        if (!part.matches()) {
            StringBuilder uids = new StringBuilder();
            numbers(what).forEach(number -> uids.append("* ")
                    .append(number)
                    .append(" FETCH (UID ")
                    .append(letter(number))
                    .append(")\r\n"));
            return uids.toString();
        }
        int letter = letter(Integer.parseInt(part.group(1)));
        if (mailbox.refuses(letter)) {
            return "";
        }
        int from = Integer.parseInt(part.group(2));
        if (from == 0) {
            mailbox.oneMoreHandedOut();
        }
        String text = mailbox.text(letter);
        int start = Math.min(from, text.length());
        String asked = text.substring(start, Math.min(text.length(), start + Integer.parseInt(part.group(3))));
        return "* %s FETCH (BODY[]<%d> {%d}\r\n".formatted(part.group(1), from, asked.length()) + asked + ")\r\n";
    }

    private String store(String what) {
        numbers(what).forEach(number -> deleted.add(letter(number)));
        return "";
    }

    private String move(String what) {
        List<Integer> letters = numbers(what).stream().map(this::letter).toList();
        mailbox.move(letters);
        return expunge(new HashSet<>(letters));
    }

    private String expunge(Set<Integer> letters) {
        StringBuilder gone = new StringBuilder();
        for (int i = mailbox.inbox.size() - 1; i >= 0; i--) {
            if (letters.contains(mailbox.inbox.get(i))) {
                mailbox.inbox.remove(i);
                told--;
                gone.append("* ").append(i + 1).append(" EXPUNGE\r\n");
            }
        }
        return gone.toString();
    }

    private String logout() {
        ended = true;
        return "* BYE\r\n";
    }

    private int letter(int number) {
        return mailbox.inbox.get(number - 1);
    }

    /** Parses a set such as {@code 1:3,5}, up to the first space. */
    private static List<Integer> numbers(String what) {
        List<Integer> numbers = new ArrayList<>();
        for (String range : what.split(" ", 2)[0].split(",")) {
            String[] ends = range.split(":");
            for (int i = Integer.parseInt(ends[0]); i <= Integer.parseInt(ends[ends.length - 1]); i++) {
                numbers.add(i);
            }
        }
        return numbers;
    }

    private String news() {
        if (mailbox.inbox.size() <= told) {
            return "";
        }
        told = mailbox.inbox.size();
        return "* " + told + " EXISTS\r\n";
    }

    boolean waits() {
        return !waiting.isEmpty();
    }

    @Override
    public String unasked() {
        return waits() ? news().strip() : "";
    }

    @Override
    public boolean ended() {
        return ended;
    }
}
