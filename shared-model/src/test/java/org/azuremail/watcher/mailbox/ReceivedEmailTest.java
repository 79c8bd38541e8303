package org.azuremail.watcher.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.stream.LongStream;
import org.azuremail.mail.EmailAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks letters as strangers may write them, with up to a megabyte of any content. */
class ReceivedEmailTest {

    private static final int SMALL = 25_000;

    private static ReceivedEmail letter(String header, String value) {
        return ReceivedEmail.parse((header + ": " + value + "\n\nHello\n").getBytes(StandardCharsets.US_ASCII))
                .orElseThrow();
    }

    /** The mail library takes quadratic time for these senders; 400,000 of {@code <} kept it busy for minutes. */
    @ParameterizedTest
    @ValueSource(strings = {"<", "(", "[", "<a", "a<", "aw:", "\n a", "a<\nFrom: ", "a@b.test, ", "\\", "\""})
    void theTimeForAnOddSenderGrowsAsTheLetterDoes(String pattern) {
        readAll("From", pattern.repeat(10));
        long one = time("From", pattern.repeat(SMALL / pattern.length()));
        long four = time("From", pattern.repeat(4 * SMALL / pattern.length()));
        assertThat(four).isLessThan(8 * one + 200_000_000L);
    }

    private static long time(String header, String value) {
        return LongStream.range(0, 2)
                .map(time -> {
                    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                    readAll(header, value);
                    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
                })
                .min()
                .orElseThrow();
    }

    private static void readAll(String header, String value) {
        ReceivedEmail read = letter(header, value);
        read.from();
        read.fromName();
        read.subject();
        read.forwarders();
        read.automatic();
    }

    @Test
    void theBeginningOfAHeaderCounts() {
        String filler = "x".repeat(ReceivedEmail.MAX_PARSED_LENGTH);
        assertThat(letter("From", "\"" + filler + "\" <a@x.test>").from()).isEmpty();
        assertThat(letter("From", "\"" + filler + "\" <a@x.test>").fromName()).hasSize(ReceivedEmail.MAX_PARSED_LENGTH);
        assertThat(letter("From", "Ann <a@x.test>, " + filler).from()).contains(new EmailAddress("a@x.test"));
        assertThat(letter("From", "Ann <a@x.test>, " + filler).fromName()).isEqualTo("Ann");
        assertThat(letter("Subject", filler + filler).subject()).hasSize(ReceivedEmail.MAX_PARSED_LENGTH);
        String ids = "<1@x.test> ".repeat(ReceivedEmail.MAX_HEADER_LENGTH);
        assertThat(letter("References", ids).headers("In-Reply-To", "References"))
                .hasSize(ReceivedEmail.MAX_HEADER_LENGTH);
        assertThat(letter("To", "a@x.test\nTo: b@x.test").headers("Cc", "To")).isEqualTo("a@x.test\nb@x.test");
    }

    /** Mail programs begin replies with lines that look empty. */
    @ParameterizedTest
    @ValueSource(
            strings = {"\u00A0", "\uFEFF", "\u200B", " \u00A0 \u2060", "\u00AD\u034F", "\uFEFF> News", "\u00A0| News"})
    void aLineThatLooksEmptyIsNotTheFirst(String line) {
        String email = "Content-Type: text/plain; charset=utf-8\n\n" + line + "\n\nUnsubscribe\n";
        assertThat(ReceivedEmail.parse(email.getBytes(StandardCharsets.UTF_8))
                        .orElseThrow()
                        .firstLine())
                .isEqualTo("Unsubscribe");
    }

    @Test
    void anOrdinaryLetterIsReadWhole() {
        assertThat(letter("From", "=?utf-8?q?J=C3=BCrgen?= <j@x.test>").fromName())
                .isEqualTo("Jürgen");
        assertThat(letter("Subject", "=?utf-8?q?Gr=C3=BC=C3=9Fe?=").subject()).isEqualTo("Grüße");
    }
}
