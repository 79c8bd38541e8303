package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.mail.MergedMail;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks subscribers who unsubscribe by an email to the address in their email, or by a reply that proves its sender.
 */
class LeavingByEmailIT extends OnReplyMailbox {

    @Test
    void eachEmailSaysToWhichAddressItsReaderMayWriteToLeave() {
        sent();
        assertThat(headers)
                .hasSize(RECIPIENTS)
                .allMatch(
                        value -> value.matches(
                                "<mailto:leave\\+[0-9a-z]{20,52}@example\\.org\\?subject=unsubscribe>, <https://lists\\.contoso\\.edu/unsubscribe\\?id=.*>"));
    }

    @Test
    void theAddressOfAnEmailUnsubscribesItsRecipientWhoeverWrites() throws Exception {
        sent();
        letter("another@mail.test", leaveAddress(1).toUpperCase(java.util.Locale.ROOT), "", "", "");
        letter("auto@mail.test", leaveAddress(2), "Away", "Auto-Submitted: auto-replied\n", "I am away.");
        letter("auto@mail.test", leaveAddress(2), "Failure", "Return-Path: <>\n", "No such user.");
        letter("x@mail.test", "leave+" + "a".repeat(40) + "@example.org", "unsubscribe", "", "");
        assertThat(read()).isEqualTo("1 request to unsubscribe, nothing forwarded, and 3 other messages");
        assertThat(subscribed()).containsExactly(0, 2, 3);
        assertThat(server.count("INBOX")).isZero();
        assertThat(server.count("Processed")).isEqualTo(4);
    }

    /** A From address can be forged. Without the Message-ID of an email to that very address, a person decides. */
    @Test
    void aReplyThatAsksToUnsubscribeMustProveItsSender() throws Exception {
        sent();
        String reply = "In-Reply-To: <%s>\n";
        letter(address(0), "news@contoso.edu", "Re: Unsubscribe!", reply.formatted(messageIds.get(address(0))), "Hi");
        letter(
                address(1),
                "news@contoso.edu",
                "Re: News",
                "References: <x@y>\n <%s>\n".formatted(messageIds.get(address(1))),
                "\nBitte abmelden.\n\n> News");
        letter(address(2), "news@contoso.edu", "unsubscribe", "", "");
        letter(address(3), "news@contoso.edu", "unsubscribe", reply.formatted(messageIds.get(address(2))), "");
        letter(
                address(3),
                "news@contoso.edu",
                "How do I unsubscribe my aunt?",
                reply.formatted(messageIds.get(address(3))),
                "");
        assertThat(read()).isEqualTo("2 requests to unsubscribe, 3 emails forwarded");
        assertThat(subscribed()).containsExactly(2, 3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "please unsubscribe me from this list; 1",
                "Please remove me from your list.; 1",
                "I want to unsubscribe; 1",
                "I'd like to unsubscribe from your mailing list, thank you!; 1",
                "Could you please remove me from the newsletter?; 1",
                "Re: unsubscribe contoso1; 1",
                "Unsubscribe me from the contoso1 list; 1",
                "unsubscribe my aunt; 0",
                "I want to unsubscribe from the gym; 0",
                "Please remove me from the committee; 0",
                "unsubscribe other; 0"
            })
    void usualSentencesAskToLeave(String sentence, int leaves) throws Exception {
        sent();
        reply(0, "Re: News", "text/plain", sentence);
        reply(1, sentence, "text/plain", "");
        assertThat(read()).startsWith(leaves == 1 ? "2 requests to unsubscribe" : "Nobody unsubscribed, 2 emails");
    }

    @Test
    void ourOwnWordsInAReplyAskForNothing() throws Exception {
        sent("Stop!");
        reply(0, "Re: Stop!", "text/plain", "What shall I stop?");
        reply(1, "Re: Stop!", "text/plain", "> Unsubscribe\n> Dear reader\n\nNice article!");
        reply(2, "Re: News", "text/html", "<blockquote><p>Unsubscribe</p></blockquote><p>Nice!</p>");
        reply(3, "Re: News", "text/html", "<title>stop</title><p>Dear team,</p><p>my order is late.</p>");
        assertThat(read()).isEqualTo("Nobody unsubscribed, 4 emails forwarded");
        reply(0, "Re: News", "text/plain; charset=utf-8", "\uFEFF> Unsubscribe\n\nNice article!");
        assertThat(read()).isEqualTo("Nobody unsubscribed, 1 email forwarded");
        assertThat(subscribed()).hasSize(RECIPIENTS);
        forward();
        assertThat(forwarded)
                .extracting(
                        lot -> MergedMail.of(lot.content(), lot.mails().get(0)).text())
                .anyMatch(text -> text.matches("(?s)Dear team,\\s+my order is late\\.\\s*"));
    }

    @Test
    void theFirstLineOfAnHtmlReplyMayAskToLeave() throws Exception {
        sent();
        reply(0, "Re: News", "text/html", "<p>Unsubscribe</p><p>Jo</p>");
        reply(1, "Re: News", "text/html", "<div dir='auto'>Unsubscribe</div><div>Sent from my phone</div>");
        reply(2, "Re: News", "text/html", "<blockquote>News</blockquote><div>Please <b>remove</b> me</div>");
        assertThat(read()).startsWith("3 requests to unsubscribe");
        assertThat(subscribed()).containsExactly(3);
    }
}
