package org.azuremail.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.azuremail.id.SeededIds;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.TestMails;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;

/** An outbox on a simulated storage. */
abstract class OnOutbox {

    final ManualTime time = new ManualTime();
    final SimulatedStorage storage = new SimulatedStorage(time, 30);
    final SeededIds ids = new SeededIds(1);
    final OutboxStore outbox = new OutboxStore(storage.storage(), time, ids);
    final MailContent content = TestMails.content(
            "7.1",
            TestMails.mailbox("news@contoso.edu", "Contoso"),
            TestMails.mailbox("answers@contoso.edu", ""),
            "Hi {{name|friend}}",
            "<p>{{name}} of <a href=\"/{{city}}\">{{city}}</a></p>",
            "{{name}} of {{city}}",
            TestMails.header("List-Unsubscribe", "<{{unsubscribe}}>"));

    List<Row> rows() {
        return Rows.all(storage.tables(), OutboxKeys.TABLE, KeyRange.everything());
    }

    void keep(Mail mail) {
        keep(List.of(mail));
    }

    void keep(List<Mail> mails) {
        assertThat(outbox.store(new MailLot(content, mails)).certain()).isEqualTo(mails.size());
    }

    List<OutboxStore.Entry> newest(int limit) {
        return outbox.newest(limit, null).items();
    }
}
