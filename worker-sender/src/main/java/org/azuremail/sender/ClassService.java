package org.azuremail.sender;

import java.time.Duration;
import org.azuremail.mailclass.MailClass;
import org.azuremail.mailclass.MailClasses;
import org.azuremail.work.service.QueueService;

/** A queue service whose items have a mail class. The default is the most urgent class. */
interface ClassService<T> extends QueueService<T> {

    MailClasses classes();

    default MailClass mailClass() {
        return classes().mostUrgent();
    }

    @Override
    default int rank() {
        return mailClass().rank();
    }

    @Override
    default Duration ageing() {
        return classes().ageing();
    }

    @Override
    default Duration target() {
        return mailClass().target();
    }
}
