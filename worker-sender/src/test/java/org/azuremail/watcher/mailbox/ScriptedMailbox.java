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
 * A mailbox of numbered letters on a small IMAP or POP3 server that does as a test tells it. It hands out ten thousand
 * letters in seconds, withholds some as a server with damaged files would, and hangs up at a given command.
 * {@link MailServer} is a real server.
 */
public final class ScriptedMailbox implements AutoCloseable {

    /** The server's side of one conversation. Called under the mailbox's lock. */
    interface Dialogue {

        String greeting();

        /** Runs a command and returns the lines of the answer, without the last line end. */
        String answer(String command);

        /** Returns lines that are sent without a command, if the client waits for any now. */
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

    /** @param text the text of a letter by its number, which counts from 1 */
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

    /** A step of a conversation, which ends when either side hangs up. */
    interface Step {
        void take() throws IOException;
    }

    static void start(Step step) {
        Thread thread = new Thread(() -> {
            try {
                step.take();
            } catch (IOException hungUp) {
                // The test continues, and the next client may connect.
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

    /** Returns settings with which a watcher reads this mailbox. */
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

    /** Adds the next letter, and notifies clients that wait for it. */
    public synchronized void deliver() {
        inbox.add(++letters);
        open.forEach((client, dialogue) -> {
            String lines = dialogue.unasked();
            if (!lines.isEmpty()) {
                start(() -> say(client, lines));
            }
        });
    }

    /** Keeps the letters up to this one in the mailbox without handing them out. */
    synchronized void withhold(int upTo) {
        withheld = upTo;
    }

    /**
     * Hangs up once, at the n-th command from now.
     *
     * @param whenDone whether the command is done before the server hangs up without an answer
     */
    public synchronized void cutAt(int command, boolean whenDone) {
        cutAt = heard + command;
        cutWhenDone = whenDone;
    }

    /** Closes all connections, as when the client's process dies. A command that was not read yet is not done. */
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

    /** Returns the letters that were moved, in that order. A letter that was moved twice appears twice. */
    public synchronized List<Integer> moved() {
        return List.copyOf(moved);
    }

    /** Returns how many letters were handed out so far. A letter that was read again counts again. */
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
