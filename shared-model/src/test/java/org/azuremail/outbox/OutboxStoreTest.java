package org.azuremail.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.TestMails;
import org.azuremail.mail.mime.MimeTemplate;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageCalls;
import org.azuremail.storage.simulated.Call;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;

/** Checks which parts of an email are kept, and how they are found again. */
class OutboxStoreTest extends OnOutbox {

    @Test
    void aMailIsKeptAsItWouldHaveBeenSent() {
        Mail mail = TestMails.mails(1).get(0);
        keep(mail);

        OutboxStore.FullEmail kept = outbox.find(newest(1).get(0).id()).orElseThrow();

        assertThat(kept.raw()).isEqualTo(new MimeTemplate(content).merge(mail, ManualTime.START));
        assertThat(kept.merged().subject()).isEqualTo("Hi User 1");
        assertThat(kept.merged().html()).isEqualTo("<p>User 1 of <a href=\"/Town%201\">Town 1</a></p>");
        assertThat(kept.merged().text()).isEqualTo("User 1 of Town 1");
        assertThat(kept.merged().headers().get(0).value()).startsWith("<https://l.example/unsubscribe?id=");
        assertThat(kept.messageId()).isEqualTo(mail.messageId());
        assertThat(kept.replyTo()).isEqualTo(TestMails.mailbox("answers@contoso.edu", ""));
        assertThat(kept.entry().from()).isEqualTo(content.from());
        assertThat(kept.entry().to()).isEqualTo(mail.to());
        assertThat(kept.entry().sentAt()).isEqualTo(ManualTime.START);
    }

    @Test
    void anotherProcessReadsTheSameBytes() {
        keep(TestMails.mails(1).get(0));
        String id = newest(1).get(0).id();

        OutboxStore other = new OutboxStore(storage.storage(), time, ids);

        assertThat(other.find(id).orElseThrow().raw())
                .isEqualTo(outbox.find(id).orElseThrow().raw());
    }

    @Test
    void theNewestComesFirstPageByPage() {
        keep(TestMails.mails(1, 120));
        time.advance(Duration.ofMillis(1));
        keep(TestMails.mails(121, 100));

        List<String> seen = new ArrayList<>();
        String continuation = null;
        do {
            Page<OutboxStore.Entry> page = outbox.newest(33, continuation);
            page.items().forEach(entry -> seen.add(entry.to().address().value()));
            continuation = page.continuation();
        } while (continuation != null);

        List<String> expected = IntStream.iterate(220, i -> i > 0, i -> i - 1)
                .mapToObj(i -> String.format("u%07d@bench.test", i))
                .toList();
        assertThat(seen).isEqualTo(expected);
    }

    @Test
    void aPageOfAMessagesMailsReadsNoMoreThanTwoLots() {
        keep(TestMails.mails(1, 99 * 12));
        StorageCalls calls = new StorageCalls("test");
        OutboxStore counted = new OutboxStore(calls.around(storage.storage()), time, ids);

        Page<OutboxStore.Entry> first = counted.newest(50, null);
        assertThat(rowsRead(calls)).isEqualTo(2);
        Page<OutboxStore.Entry> second = counted.newest(50, first.continuation());
        assertThat(rowsRead(calls)).isEqualTo(4);

        assertThat(first.items()).hasSize(50);
        assertThat(second.items()).hasSize(50).doesNotContainAnyElementsOf(first.items());
    }

    private static long rowsRead(StorageCalls calls) {
        return calls.snapshot().values().stream()
                .mapToLong(StorageCalls.Count::entities)
                .sum();
    }

    @Test
    void aRecipientsMailsAreFoundAmongManyNewestFirst() {
        keep(TestMails.mail("Student1@domain.com", "", Map.of("name", "first")));
        time.advance(Duration.ofSeconds(1));
        keep(TestMails.mails(300));
        time.advance(Duration.ofSeconds(1));
        keep(TestMails.mail("student1@domain.com", "", Map.of("name", "second")));
        keep(TestMails.mail("student1@domain.com.example", "", Map.of("name", "somebody else")));

        assertThat(outbox.to(new EmailAddress("STUDENT1@domain.com"), 10, null).items())
                .extracting(OutboxStore.Entry::subject)
                .containsExactly("Hi second", "Hi first");
        Page<OutboxStore.Entry> page = outbox.to(new EmailAddress("student1@domain.com"), 1, null);
        assertThat(outbox.to(new EmailAddress("student1@domain.com"), 1, page.continuation())
                        .items())
                .extracting(OutboxStore.Entry::subject)
                .containsExactly("Hi first");
        assertThat(outbox.to(new EmailAddress("nobody@domain.com"), 10, null).items())
                .isEmpty();
    }

    @Test
    void anAddressThatIsTooLongForAKeyIsFoundToo() {
        EmailAddress longest = new EmailAddress("ä".repeat(120) + "@" + "domain.".repeat(18) + "com");
        keep(TestMails.mail(longest.value(), "", Map.of("name", "x")));

        assertThat(outbox.to(longest, 10, null).items()).hasSize(1);
        outbox.trim(time.instant());
    }

    @Test
    void aContentIsStoredOnceHoweverManyMailsThereAre() {
        MailContent large = TestMails.content("8.1", "S", "<p>" + "x".repeat(100_000) + "</p>", "t");
        for (int lot = 0; lot < 10; lot++) {
            outbox.store(new MailLot(large, TestMails.mails(lot * 99 + 1, 99)));
        }

        assertThat(storage.calls(Call.Kind.PUT_BLOB)).isEqualTo(1);
        assertThat(storage.calls(Call.Kind.WRITE)).as("99 mails a batch").isEqualTo(10);
    }

    @Test
    void onlyTheValuesThatTheMailShowsAreKept() {
        keep(TestMails.mail("a@b.example", "", Map.of("name", "Ann", "secret", "hidden")));

        Row lot = rows().stream()
                .filter(row -> row.rowKey().startsWith(OutboxKeys.LOTS))
                .findFirst()
                .orElseThrow();
        assertThat(OutboxLot.of(lot).mails().get(0).fields()).isEqualTo(Map.of("name", "Ann"));
    }

    @Test
    void largeValuesAreDividedOverPropertiesAndBatches() {
        List<Mail> mails = IntStream.range(0, 8)
                .mapToObj(i -> TestMails.mail("u" + i + "@b.example", "", Map.of("name", noise(400_000, i))))
                .toList();

        assertThat(outbox.store(new MailLot(content, mails)).certain()).isEqualTo(8);
        assertThat(outbox.find(newest(1).get(0).id()).orElseThrow().merged().text())
                .isEqualTo(noise(400_000, 7) + " of ");
        assertThat(storage.calls(Call.Kind.WRITE)).isGreaterThan(1);
    }

    @Test
    void valuesThatFitNoRowAreRefusedBeforeAnythingIsKept() {
        Mail huge = TestMails.mail("a@b.example", "", Map.of("name", noise(3_000_000, 1)));
        MailLot lot = new MailLot(content, List.of(TestMails.mails(1).get(0), huge));

        assertThatThrownBy(() -> outbox.store(lot)).isInstanceOf(IllegalArgumentException.class);
        assertThat(newest(1)).isEmpty();
    }

    /** Returns a text that compression cannot make much smaller. */
    private static String noise(int characters, long seed) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder(characters);
        random.ints(characters, 'A', 'z').filter(Character::isLetter).forEach(c -> text.append((char) c));
        return text.toString();
    }

    @Test
    void anInvalidIdIsNotFound() {
        assertThat(outbox.find("")).isEmpty();
        assertThat(outbox.find("../x")).isEmpty();
        assertThat(outbox.find("00000000000000-0000000000000000-00")).isEmpty();
    }
}
