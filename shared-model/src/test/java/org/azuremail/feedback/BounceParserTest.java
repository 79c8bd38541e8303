package org.azuremail.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Random;
import java.util.stream.Stream;
import org.azuremail.delivery.range.Feedback.Kind;
import org.azuremail.feedback.BounceProcessor.BounceReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks messages in the documented forms of servers, and in malformed ones. */
class BounceParserTest {

    static Stream<String> expected() throws IOException {
        return new String(bytes("expected.csv"), StandardCharsets.UTF_8).lines();
    }

    private static byte[] bytes(String file) throws IOException {
        try (InputStream in = BounceParserTest.class.getResourceAsStream("/bounces/" + file)) {
            return in.readAllBytes();
        }
    }

    @ParameterizedTest
    @MethodSource("expected")
    void everyMessageIsWhatItIs(String line) throws IOException {
        String[] expected = line.split(";", -1);
        BounceReport report = BounceParser.parse(bytes(expected[0]));
        assertThat(report.kind() + ";" + report.status() + ";" + report.recipient())
                .as(report.toString())
                .isEqualTo(expected[1] + ";" + expected[2] + ";" + expected[3]);
        boolean ours =
                new String(bytes(expected[0]), StandardCharsets.UTF_8).contains("0f1e2d3c4b5a69788796a5b4c3d2e1f0");
        assertThat(report.headers().contains("0f1e2d3c4b5a69788796a5b4c3d2e1f0.81"))
                .isEqualTo(ours);
    }

    @Test
    void aReportIsFromTheTimeOfItsDate() throws IOException {
        String report = new String(bytes("01-postfix-user-unknown.eml"), StandardCharsets.UTF_8);
        String dateless = report.replaceFirst("(?m)^Date: .*\n", "");
        assertThat(BounceParser.parse(report.getBytes(StandardCharsets.UTF_8)).at())
                .isEqualTo(Instant.parse("2026-11-23T10:15:00Z"));
        BounceReport undated = BounceParser.parse(dateless.getBytes(StandardCharsets.UTF_8));
        assertThat(undated.kind()).isEqualTo(Kind.HARD_BOUNCE);
        assertThat(undated.at()).isNull();
    }

    private static BounceReport userUnknown(String pattern, String replacement) throws IOException {
        String report = new String(bytes("01-postfix-user-unknown.eml"), StandardCharsets.UTF_8);
        String changed = report.replaceFirst(pattern, replacement);
        assertThat(changed).isNotEqualTo(report);
        return BounceParser.parse(changed.getBytes(StandardCharsets.UTF_8));
    }

    /** The action is required, but a server that forgets it for a success has not bounced the email. */
    @Test
    void aSuccessWithoutAnActionIsNoBounce() throws IOException {
        assertThat(userUnknown("(?m)^Action: failed\nStatus: 5\\.1\\.1\n", "Status: 2.1.5\n")
                        .kind())
                .isNull();
        assertThat(userUnknown("(?m)^Action: failed\n", "").kind()).isEqualTo(Kind.HARD_BOUNCE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rfc822;", "unknown; none", ""})
    void theFinalRecipientIsTakenIfTheOriginalOneIsMissing(String original) throws IOException {
        assertThat(userUnknown("(?m)^Original-Recipient: .*$", "Original-Recipient: " + original)
                        .recipient())
                .isEqualTo("ann@example.net");
    }

    /** RFC 6533 allows it for addresses outside ASCII. */
    @ParameterizedTest
    @ValueSource(strings = {"message/delivery-status", "message/global-delivery-status"})
    void aStatusMayBeEncoded(String type) throws IOException {
        String status = "Reporting-MTA: dns; mx.example.net\n\n"
                + "Final-Recipient: utf-8; jörg@example.net\nAction: failed\nStatus: 5.1.1\n";
        String encoded = Base64.getMimeEncoder().encodeToString(status.getBytes(StandardCharsets.UTF_8));
        BounceReport report = userUnknown(
                "(?s)Content-Type: message/delivery-status\n.*?\n--",
                "Content-Type: " + type + "\nContent-Transfer-Encoding: base64\n\n" + encoded + "\n\n--");
        assertThat(report.kind()).isEqualTo(Kind.HARD_BOUNCE);
        assertThat(report.status()).isEqualTo("5.1.1");
        assertThat(report.recipient()).isEqualTo("jörg@example.net");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Automatic reply: Undelivered parcels, and all the other news of this week",
                "Automatic reply: Undelivered parcels,\n and all the other news of this week",
                "=?utf-8?Q?Automatic_reply:_Undelivered_parcels?=",
                "=?utf-8?B?QXV0b21hdGljIHJlcGx5OiBVbmRlbGl2ZXJlZCBwYXJjZWxz?=",
                "Automatische Antwort: Undelivered parcels",
                "=?utf-8?Q?R=C3=A9ponse_automatique_:_Undelivered_parcels?=",
                "=?utf-8?Q?Respuesta_autom=C3=A1tica:_Undelivered_parcels?=",
                "Risposta automatica: Undelivered parcels",
                "Automatisch antwoord: Undelivered parcels",
                "Autosvar: Undelivered parcels"
            })
    void anAbsenceNoteIsNoBounceHoweverItsSubjectIsWritten(String subject) {
        String note = """
                From: Ann <ann@example.net>
                Subject: %s
                MIME-Version: 1.0
                Content-Type: text/plain; charset=utf-8

                My old address ann@example.net is no longer valid: 550 5.1.1 user unknown.
                """;
        assertThat(BounceParser.parse(note.formatted(subject).getBytes(StandardCharsets.UTF_8))
                        .kind())
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"8-bit", "foo", "base64"})
    void aPartInAnUnknownEncodingKeepsNobodyFromReadingTheOthers(String encoding) throws IOException {
        String report = new String(bytes("01-postfix-user-unknown.eml"), StandardCharsets.UTF_8);
        String odd = report.replaceFirst(
                "Content-Type: text/plain", "Content-Transfer-Encoding: " + encoding + "\nContent-Type: text/plain");
        assertThat(odd).isNotEqualTo(report);
        BounceReport read = BounceParser.parse(odd.getBytes(StandardCharsets.UTF_8));
        assertThat(read.kind()).isEqualTo(Kind.HARD_BOUNCE);
        assertThat(read.recipient()).isEqualTo("ann@example.net");
        assertThat(read.headers()).contains("0f1e2d3c4b5a69788796a5b4c3d2e1f0.81");
    }

    @Test
    void oddMessagesAreUnknownAndSoon() throws IOException {
        byte[] report = bytes("01-postfix-user-unknown.eml");
        Random random = new Random(1);
        for (int i = 0; i < 300; i++) {
            byte[] damaged = report.clone();
            for (int j = 0; j < 40; j++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            assertThat(BounceParser.parse(damaged)).isNotNull();
        }
        assertThat(BounceParser.parse(new byte[0]).kind()).isNull();
        String nested = "Content-Type: multipart/mixed; boundary=%d\n\n--%d\n";
        StringBuilder deep = new StringBuilder();
        for (int i = 0; i < 5000; i++) {
            deep.append(nested.formatted(i, i));
        }
        StringBuilder wide = new StringBuilder("Content-Type: multipart/report; boundary=b\n\n");
        wide.append("--b\nContent-Type: message/delivery-status\n\nStatus: 5.1.1\n\n".repeat(20_000));
        for (String odd : new String[] {
            deep.toString(),
            wide.toString(),
            "Subject: failure notice\n\n" + "a".repeat(5_000_000),
            "Subject: failure notice\n\n" + "user ".repeat(1_000_000),
            "Subject: failure notice\n\n" + "a@b.".repeat(1_000_000),
            "Subject: failure notice\n\n" + "5.1.1.".repeat(1_000_000),
            "Content-Type: message/delivery-status\n\n" + "\n \n".repeat(300_000),
            "Content-Type: text/html\nSubject: failure notice\n\n" + "<div>".repeat(200_000),
            "X: " + "y".repeat(3_000_000)
        }) {
            org.junit.jupiter.api.Assertions.assertTimeout(
                    Duration.ofSeconds(3), () -> BounceParser.parse(odd.getBytes(StandardCharsets.UTF_8)));
        }
    }
}
