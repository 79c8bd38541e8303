package org.azuremail.web.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Walks from the first start to an email that was sent and archived, and whose recipient unsubscribed. */
@ExtendWith(OutputCaptureExtension.class)
class WholeWalkIT {

    private static final String[] TWO_TRANSPORTS = {
        "--azuremail.mail.transports.main.kind=outbox",
        "--azuremail.mail.transports.spare.kind=outbox",
        "--azuremail.mail.order=main,spare"
    };

    @Test
    void aPersonDoesEverything(@TempDir Path data, CapturedOutput output) throws Exception {
        try (RunningService service = RunningService.start(data, TWO_TRANSPORTS);
                Chromium chromium = Chromium.start()) {
            Page page = chromium.browser().newPage();
            HouseWalk house = new HouseWalk(page, service.url());
            house.firstAccount(RunningService.setupLink(output.getOut()));
            house.lists();
            house.emptyPages();
            house.accounts();
            house.subscribers();
            house.importing(data);
            house.sending();
            MailWalk mail = new MailWalk(page, service.url());
            mail.confirming();
            mail.message(data);
            mail.sending();
            mail.stopping();
            mail.leaving();
            mail.partner(mail.key());
        }
    }

    /** Everything works without scripts; the person reloads pages to see progress. */
    @Test
    void aPersonWithoutScriptsGetsMailOutToo(@TempDir Path data, CapturedOutput output) throws Exception {
        try (RunningService service = RunningService.start(data);
                Chromium chromium = Chromium.start()) {
            Page page = chromium.browser().newPage(new Browser.NewPageOptions().setJavaScriptEnabled(false));
            ScriptlessWalk walk = new ScriptlessWalk(page, service.url());
            walk.firstAccount(RunningService.setupLink(output.getOut()));
            walk.sampleLists();
            walk.send();
            walk.openTheMenuOnAPhone();
            walk.signOut();
        }
    }
}
