package org.azuremail.watcher.mailbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * A mailbox of numbered letters on a small server of IMAP or POP3 that does as a test tells it: it hands out ten thousand
 * letters in seconds, withholds some as a server with damaged files would, and hangs up at a given command. A real server
 * is {@link MailServer}.
 */
public final class ScriptedMailbox implements AutoCloseable {

    /** The server's side of one conversation. Called under the mailbox's lock. */
    interface Dialogue {

        String greeting();

        /** Does a command; lines without the last line end. */
        String answer(String command);

        /** Lines that are said without a command, if the client waits for any now. */
        String unasked();

        boolean ended();
    }

    /** The letters in the mailbox, in their order. */
    final List<Integer> inbox = new ArrayList<>();

    /** The letters that were moved. */
    private final List<Integer> moved = new ArrayList<>();

    private final Map<Socket, Dialogue> open = new HashMap<>();
    private final String protocol;
    private final IntFunction<String> text;
    private final ServerSocket door;
    private int letters;
    private int withheld;
    private int handedOut;
    private int heard;
    private int cutAt;
    private boolean cutWhenDone;

    /** @param text of a letter; their numbers begin with 1 */
    public ScriptedMailbox(String protocol, int letters, IntFunction<String> text) throws IOException {
        this.protocol = protocol;
        this.text = text;
        for (int i = 0; i < letters; i++) {
            deliver();
        }
        door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(() -> {
            while (!door.isClosed()) {
                Socket client = door.accept();
                start(() -> talk(client));
            }
        });
    }

    /** Ends when either side hangs up. */
    private interface Step {
        void take() throws IOException;
    }

    private static void start(Step step) {
        Thread thread = new Thread(() -> {
            try {
                step.take();
            } catch (IOException hungUp) {
                // The next client may come.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void talk(Socket client) throws IOException {
        Dialogue dialogue = protocol.equals("imap") ? new ScriptedImap(this) : new ScriptedPop3(this);
        try (client) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
            synchronized (this) {
                open.put(client, dialogue);
                say(client, dialogue.greeting());
            }
            String line = in.readLine();
            while (line != null && goesOn(client, dialogue, line)) {
                line = in.readLine();
            }
        } finally {
            synchronized (this) {
                open.remove(client);
            }
        }
    }

    private synchronized boolean goesOn(Socket client, Dialogue dialogue, String line) throws IOException {
        boolean cut = ++heard == cutAt;
        if (cut && !cutWhenDone || client.isClosed()) {
            return false;
        }
        String answer = dialogue.answer(line);
        if (!cut) {
            say(client, answer);
        }
        return !cut && !dialogue.ended();
    }

    private static void say(Socket client, String lines) throws IOException {
        client.getOutputStream().write((lines + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** Settings with which a watcher reads this mailbox. */
    public Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        settings.put("protocol", protocol);
        settings.put("security", "none");
        settings.put("host", "localhost");
        settings.put("port", String.valueOf(door.getLocalPort()));
        settings.put("username", "me");
        settings.put("done", protocol.equals("imap") ? "move" : "delete");
        return settings;
    }

    /** The next letter arrives; whoever waits for it is told. */
    public synchronized void deliver() {
        inbox.add(++letters);
        open.forEach((client, dialogue) -> {
            String lines = dialogue.unasked();
            if (!lines.isEmpty()) {
                start(() -> say(client, lines));
            }
        });
    }

    /** The letters up to this one are there, but are not handed out. */
    synchronized void withhold(int upTo) {
        withheld = upTo;
    }

    /**
     * Hangs up once, at that command of all that will be heard.
     *
     * @param whenDone after the command is done, but before its answer; else before it
     */
    public synchronized void cutAt(int command, boolean whenDone) {
        cutAt = heard + command;
        cutWhenDone = whenDone;
    }

    /** Hangs up on everybody, as when their process has died: a command that was not read yet is not done. */
    public synchronized void hangUp() {
        open.keySet().forEach(client -> {
            try {
                client.close();
            } catch (IOException alreadyGone) {
                // That was the aim.
            }
        });
    }

    /** Returns whether {@link #cutAt} has happened. */
    public synchronized boolean wasCut() {
        return heard >= cutAt;
    }

    public synchronized int count() {
        return inbox.size();
    }

    /** The letters that were moved, in that order; one that was moved twice is there twice. */
    public synchronized List<Integer> moved() {
        return List.copyOf(moved);
    }

    /** Returns the number of letters that were handed out so far; one that was read again counts again. */
    synchronized int handedOut() {
        return handedOut;
    }

    /** Returns whether a client waits for notifications about letters. */
    synchronized boolean awaited() {
        return open.values().stream().anyMatch(dialogue -> dialogue instanceof ScriptedImap imap && imap.waits());
    }

    boolean refuses(int letter) {
        return letter <= withheld;
    }

    String text(int letter) {
        return text.apply(letter).replace("\r\n", "\n").replace("\n", "\r\n");
    }

    void oneMoreHandedOut() {
        handedOut++;
    }

    void move(List<Integer> some) {
        moved.addAll(some);
    }

    @Override
    public void close() throws IOException {
        door.close();
        hangUp();
    }
}
