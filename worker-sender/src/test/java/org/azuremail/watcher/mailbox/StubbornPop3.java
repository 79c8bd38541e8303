package org.azuremail.watcher.mailbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** A POP3 server that does not hand out its first messages, as one with damaged files would. */
final class StubbornPop3 implements AutoCloseable {

    private static final String LETTER = "Subject: letter %d\r\n\r\nHello\r\n";

    private final ServerSocket door;
    private final int refused;
    private final Set<Integer> there = new TreeSet<>();

    StubbornPop3(int refused, int letters) throws IOException {
        this.refused = refused;
        for (int number = 1; number <= refused + letters; number++) {
            there.add(number);
        }
        door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::serve);
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return door.getLocalPort();
    }

    synchronized int count() {
        return there.size();
    }

    private void serve() {
        while (!door.isClosed()) {
            try (Socket client = door.accept()) {
                talk(client);
            } catch (IOException hungUp) {
                // The next one may come.
            }
        }
    }

    private synchronized void talk(Socket client) throws IOException {
        Integer[] numbers = there.toArray(Integer[]::new);
        Set<Integer> deleted = new TreeSet<>();
        BufferedReader in =
                new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
        say(client, "+OK");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            int asked = words.length > 1 && words[1].matches("[0-9]+") ? numbers[Integer.parseInt(words[1]) - 1] : 0;
            switch (words[0].toUpperCase(Locale.ROOT)) {
                case "CAPA" -> say(client, "+OK\r\nTOP\r\nUIDL\r\n.");
                case "STAT" -> say(client, "+OK " + numbers.length + " " + numbers.length * 50);
                case "LIST" -> say(client, "+OK" + sizes(numbers.length) + "\r\n.");
                case "RETR", "TOP" ->
                    say(client, asked <= refused ? "-ERR damaged" : "+OK\r\n" + LETTER.formatted(asked) + ".");
                case "DELE" -> {
                    deleted.add(asked);
                    say(client, "+OK");
                }
                case "QUIT" -> {
                    there.removeAll(deleted);
                    say(client, "+OK");
                    return;
                }
                default -> say(client, "+OK");
            }
        }
    }

    private static String sizes(int messages) {
        StringBuilder sizes = new StringBuilder();
        for (int i = 1; i <= messages; i++) {
            sizes.append("\r\n").append(i).append(" 50");
        }
        return sizes.toString();
    }

    private static void say(Socket client, String lines) throws IOException {
        client.getOutputStream().write((lines + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}
