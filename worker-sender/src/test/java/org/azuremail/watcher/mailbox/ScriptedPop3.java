package org.azuremail.watcher.mailbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One POP3 conversation. Deletions take effect when it ends in order. */
final class ScriptedPop3 implements ScriptedMailbox.Dialogue {

    private final ScriptedMailbox mailbox;
    private final List<Integer> letters;
    private final List<Integer> deleted = new ArrayList<>();
    private boolean ended;

    ScriptedPop3(ScriptedMailbox mailbox) {
        this.mailbox = mailbox;
        synchronized (mailbox) {
            letters = List.copyOf(mailbox.inbox);
        }
    }

    @Override
    public String greeting() {
        return "+OK";
    }

    @Override
    public String answer(String command) {
        String[] words = command.split(" ");
        return switch (words[0].toUpperCase(Locale.ROOT)) {
            case "CAPA" -> "+OK\r\nTOP\r\nUIDL\r\n.";
            case "STAT" -> "+OK " + letters.size() + " 1";
            case "LIST" -> "+OK\r\n" + sizes() + ".";
            case "RETR", "TOP" -> letter(asked(words));
            case "DELE" -> {
                deleted.add(asked(words));
                yield "+OK";
            }
            case "QUIT" -> {
                mailbox.inbox.removeAll(deleted);
                ended = true;
                yield "+OK";
            }
            default -> "+OK";
        };
    }

    private String sizes() {
        return IntStream.range(0, letters.size())
                .mapToObj(i -> (i + 1) + " " + mailbox.text(letters.get(i)).length() + "\r\n")
                .collect(Collectors.joining());
    }

    private int asked(String[] words) {
        return letters.get(Integer.parseInt(words[1]) - 1);
    }

    private String letter(int letter) {
        if (mailbox.refuses(letter)) {
            return "-ERR damaged";
        }
        mailbox.oneMoreHandedOut();
        return "+OK\r\n" + mailbox.text(letter).replace("\r\n.", "\r\n..") + "\r\n.";
    }

    @Override
    public String unasked() {
        return "";
    }

    @Override
    public boolean ended() {
        return ended;
    }
}
