package org.azuremail.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntFunction;
import tools.jackson.databind.JsonNode;

/** Lists of readers with a name and two attributes, and the email that they get. */
final class RecipientLists {

    /** An HTML body of about 5 KB with the name, two merge fields and an unsubscribe link. */
    static final String BODY = body();

    private static final int POLL_MILLIS = 200;

    private RecipientLists() {}

    private static String body() {
        StringBuilder html = new StringBuilder("<html><body><h1>News from {{city}}</h1><p>Dear {{name|friend}},</p>");
        for (int paragraph = 1; html.length() < 4800; paragraph++) {
            html.append("<p style=\"margin:0 0 1em\">Paragraph ")
                    .append(paragraph)
                    .append(" tells, at the length that such mails have, what happened since the last one, who was")
                    .append(" there, and <a href=\"https://bench.test/story/")
                    .append(paragraph)
                    .append("\">where to read on</a>.</p>\n");
        }
        return html.append("<p>Your plan: {{plan}}. <a href=\"{{unsubscribe}}\">Unsubscribe</a></p></body></html>")
                .toString();
    }

    static Path file(Lab lab, int count) {
        Path file = lab.directory("data").resolve("readers-" + count + ".csv");
        return write(
                file,
                "email,name,city,plan",
                count,
                number -> MailCounter.recipientAddress(number) + ",Reader " + number + ",Town " + number % 997
                        + ",Plan " + number % 7);
    }

    static Path write(Path file, String columns, int count, IntFunction<String> row) {
        if (Files.exists(file)) {
            return file;
        }
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write(columns + "\n");
            for (int number = 1; number <= count; number++) {
                out.write(row.apply(number) + "\n");
            }
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the name of a list with this number of readers; imports it if it does not exist. */
    static String list(Lab lab, Api api, int count) {
        String name = "readers" + count;
        for (JsonNode list : api.get("/api/v1/lists").get("items")) {
            if (list.get("name").asString().equals(name)) {
                return name;
            }
        }
        api.makeList(name, "double");
        double seconds = importFile(api, name, file(lab, count));
        Lab.log("imported %,d readers in %.1f s".formatted(count, seconds));
        return name;
    }

    /** Imports a file and returns the seconds that it took by the service's own clock. */
    static double importFile(Api api, String list, Path file) {
        long began = System.nanoTime();
        String path = api.startImport(list, file);
        JsonNode now = api.get(path);
        while (now.get("state").asString().equals("running")) {
            Service.sleep(POLL_MILLIS);
            now = api.get(path);
        }
        double seconds = Lab.seconds(began);
        if (!now.get("state").asString().equals("completed")
                || now.get("refused").asLong() > 0) {
            throw new IllegalStateException("the import ended as " + now);
        }
        return seconds;
    }
}
