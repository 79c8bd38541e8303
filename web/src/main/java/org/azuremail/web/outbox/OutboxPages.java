package org.azuremail.web.outbox;

import java.util.List;
import java.util.Optional;
import org.azuremail.mail.EmailAddress;
import org.azuremail.outbox.OutboxStore;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.storage.Page;
import org.azuremail.web.layout.MailFrame;
import org.azuremail.web.layout.PageCursor;
import org.azuremail.web.layout.PageNotFoundException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages of the emails that the outbox transport keeps instead of sending them. */
@Controller
record OutboxPages(OutboxStore outbox, TransportDirectory transports) {

    private static final int PAGE = 50;

    @GetMapping("/outbox")
    String all(@RequestParam @Nullable String to, @RequestParam @Nullable String cursor, Model model) {
        Optional<String> sought = Optional.ofNullable(to).filter(text -> !text.isBlank());
        boolean searching = sought.isPresent();
        Optional<EmailAddress> address = sought.flatMap(EmailAddress::parse);
        Page<OutboxStore.Entry> page =
                PageCursor.read("outbox " + address, cursor, from -> address.map(found -> outbox.to(found, PAGE, from))
                        .orElseGet(() -> searching ? new Page<>(List.of(), null) : outbox.newest(PAGE, from)));
        model.addAttribute("page", page);
        model.addAttribute("to", to);
        model.addAttribute("searching", searching);
        model.addAttribute("first", cursor == null);
        String some = transports.usesOutbox() ? "outbox.partly" : "outbox.elsewhere";
        model.addAttribute("lead", transports.sendsExternally() ? some : "outbox.lead");
        return "outbox/all";
    }

    @GetMapping("/outbox/{id}")
    String one(@PathVariable String id, Model model) {
        model.addAttribute("mail", require(id));
        return "outbox/one";
    }

    @GetMapping("/outbox/{id}/html")
    ResponseEntity<String> html(@PathVariable String id) {
        return MailFrame.of(require(id).merged().html());
    }

    @GetMapping("/outbox/{id}/raw")
    ResponseEntity<byte[]> raw(@PathVariable String id) {
        OutboxStore.FullEmail found = require(id);
        ContentDisposition file =
                ContentDisposition.attachment().filename("mail.eml").build();
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType("message/rfc822"))
                .header(HttpHeaders.CONTENT_DISPOSITION, file.toString())
                .body(found.raw());
    }

    private OutboxStore.FullEmail require(String id) {
        return outbox.find(id).orElseThrow(() -> new PageNotFoundException("no-email"));
    }
}
