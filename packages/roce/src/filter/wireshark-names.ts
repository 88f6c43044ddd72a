/**
 * Fields of these protocols that Wireshark 4.0 has (`tshark -G fields`) and filters here do not, without the name
 * of the protocol. A filter that was copied from Wireshark gets a true answer with them.
 */
const ONLY_THERE: Readonly<Record<string, string>> = {
  data: `
    md5_hash text uncompressed.data uncompressed.len
  `,
  eth: `
    addr.oui addr.oui_resolved addr_resolved dst.ig dst.lg dst.oui dst.oui_resolved dst_resolved fcs
    fcs.status fcs_bad ig invalid_lentype invalid_lentype.expert len len.past_end lg padding padding_bad
    src.ig src.lg src.oui src.oui_resolved src_not_group src_resolved
  `,
  frame: `
    bblog bblog.serial_nr bblog.ticks cb_copy cb_pen coloring_rule.name coloring_rule.string
    comment.expert drop_count encap_type file_off ignored incomplete interface_description interface_id
    interface_name interface_queue len_lt_caplen link_nr marked md5_hash offset_shift p2p_dir
    packet_flags packet_flags_crc_error packet_flags_direction packet_flags_fcs_length
    packet_flags_packet_too_error packet_flags_packet_too_short_error packet_flags_preamble_error
    packet_flags_reception_type packet_flags_reserved packet_flags_start_frame_delimiter_error
    packet_flags_symbol_error packet_flags_unaligned_frame_error
    packet_flags_wrong_inter_frame_gap_error packet_id pcaplog.data pcaplog.data_length
    pcaplog.data_type protocols ref_time section_number time time_delta_displayed
    time_invalid verdict verdict.ebpf_tc verdict.ebpf_xdp verdict.hw verdict.unknown
  `,
  infiniband: `
    classportinfo classportinfo.baseversion classportinfo.capabilitymask classportinfo.capabilitymask2
    classportinfo.classversion classportinfo.redirectfl classportinfo.redirectgid
    classportinfo.redirectlid classportinfo.redirectpkey classportinfo.redirectqkey
    classportinfo.redirectqp classportinfo.redirectsl classportinfo.redirecttc classportinfo.reserved
    classportinfo.resptimevalue classportinfo.trapfl classportinfo.trapgid classportinfo.traplid
    classportinfo.trappkey classportinfo.trapqkey classportinfo.trapqp classportinfo.trapsl
    classportinfo.traptc eoib.fcs eoib.ip_chk eoib.ip_seg_id eoib.ip_seg_offset eoib.ms eoib.tcp_chk
    eoib.version informinfo.gid informinfo.isgeneric informinfo.lidrangebegin informinfo.lidrangeend
    informinfo.producertypevendorid informinfo.qpn informinfo.resptimevalue informinfo.subscribe
    informinfo.trapnumberdeviceid informinfo.type informinforecord.enum informinforecord.subscribergid
    ledinfo.ledmask linearforwardingtable.port linkrecord.fromlid linkrecord.fromport
    linkrecord.servicedata linkrecord.servicegid linkrecord.serviceid linkrecord.servicekey
    linkrecord.servicelease linkrecord.servicename linkrecord.servicep_key linkrecord.tolid
    linkrecord.toport linkspeedwidthpairstable.numtables linkspeedwidthpairstable.portmask
    linkspeedwidthpairstable.speedfive linkspeedwidthpairstable.speedten
    linkspeedwidthpairstable.speedtwofive lrh lrh.dlid lrh.lnh lrh.lver lrh.pktlen lrh.reserved2
    lrh.reserved5 lrh.sl lrh.slid lrh.vl mcmemberrecord.flowlabel mcmemberrecord.hoplimit
    mcmemberrecord.joinstate mcmemberrecord.mgid mcmemberrecord.mlid mcmemberrecord.mtu
    mcmemberrecord.mtuselector mcmemberrecord.p_key mcmemberrecord.packetlifetime
    mcmemberrecord.packetlifetimeselector mcmemberrecord.portgid mcmemberrecord.proxyjoin
    mcmemberrecord.q_key mcmemberrecord.rate mcmemberrecord.rateselector mcmemberrecord.scope
    mcmemberrecord.sl mcmemberrecord.tclass multicastforwardingtable.portmask multipathrecord.dgidcount
    multipathrecord.flowlabel multipathrecord.gidscope multipathrecord.hoplimit
    multipathrecord.independenceselector multipathrecord.mtu multipathrecord.mtuselector
    multipathrecord.numbpath multipathrecord.p_key multipathrecord.packetlifetime
    multipathrecord.packetlifetimeselector multipathrecord.rate multipathrecord.rateselector
    multipathrecord.rawtraffic multipathrecord.reversible multipathrecord.sdgid
    multipathrecord.sgidcount multipathrecord.sl multipathrecord.tclass nodedescription.nodestring
    nodeinfo.baseversion nodeinfo.classversion nodeinfo.deviceid nodeinfo.localportnum nodeinfo.nodeguid
    nodeinfo.nodetype nodeinfo.numports nodeinfo.partitioncap nodeinfo.portguid nodeinfo.revision
    nodeinfo.systemimageguid nodeinfo.vendorid notice.datadetails notice.isgeneric notice.issuerlid
    notice.noticecount notice.noticetoggle notice.producertypevendorid notice.trapnumberdeviceid
    notice.type p_keytable.membershiptype p_keytable.p_keybase p_keytable.p_keytableblock
    pathrecord.dgid pathrecord.dlid pathrecord.flowlabel pathrecord.hoplimit pathrecord.mtu
    pathrecord.mtuselector pathrecord.numbpath pathrecord.p_key pathrecord.packetlifetime
    pathrecord.packetlifetimeselector pathrecord.preference pathrecord.rate pathrecord.rateselector
    pathrecord.rawtraffic pathrecord.reversible pathrecord.sgid pathrecord.sl pathrecord.slid
    pathrecord.tclass payload portcounters portcounters.counterselect
    portcounters.excessivebufferoverrunerrors portcounters.linkdownedcounter
    portcounters.linkerrorrecoverycounter portcounters.locallinkintegrityerrors
    portcounters.portrcvconstrainterrors portcounters.portrcvdata portcounters.portrcverrors
    portcounters.portrcvpkts portcounters.portrcvremotephysicalerrors
    portcounters.portrcvswitchrelayerrors portcounters.portselect portcounters.portxmitconstrainterrors
    portcounters.portxmitdata portcounters.portxmitdiscards portcounters.portxmitpkts
    portcounters.symbolerrorcounter portcounters.vl15dropped portcounters_ext
    portcounters_ext.counterselect portcounters_ext.portmulticastrcvpkts
    portcounters_ext.portmulticastxmitpkts portcounters_ext.portrcvdata portcounters_ext.portrcvpkts
    portcounters_ext.portselect portcounters_ext.portunicastrcvpkts portcounters_ext.portunicastxmitpkts
    portcounters_ext.portxmitdata portcounters_ext.portxmitpkts portinfo.capabilitymask
    portinfo.capabilitymask.automaticmigrationsupported portinfo.capabilitymask.bootmanagementsupported
    portinfo.capabilitymask.capabilitymasknoticesupported
    portinfo.capabilitymask.clientregistrationsupported
    portinfo.capabilitymask.communicationmanagementsupported
    portinfo.capabilitymask.devicemanagementsupported portinfo.capabilitymask.drnoticesupported
    portinfo.capabilitymask.issm portinfo.capabilitymask.ledinfosupported
    portinfo.capabilitymask.linkroundtriplatencysupported
    portinfo.capabilitymask.linkspeedwidthpairstablesupported portinfo.capabilitymask.mkeynvram
    portinfo.capabilitymask.noticesupported portinfo.capabilitymask.optionalipdsupported
    portinfo.capabilitymask.otherlocalchangesnoticesupported portinfo.capabilitymask.pkeynvram
    portinfo.capabilitymask.pkeyswitchexternalporttrapsupported portinfo.capabilitymask.reinitsupported
    portinfo.capabilitymask.slmappingsupported portinfo.capabilitymask.smdisabled
    portinfo.capabilitymask.snmptunnelingsupported portinfo.capabilitymask.systemimageguidsupported
    portinfo.capabilitymask.trapsupported portinfo.capabilitymask.vendorclasssupported
    portinfo.clientreregister portinfo.diagcode portinfo.filterrawinbound portinfo.filterrawoutbound
    portinfo.guid portinfo.guidcap portinfo.hoqlife portinfo.inittype portinfo.inittypereply
    portinfo.lid portinfo.linkdowndefaultstate portinfo.linkroundtriplatency portinfo.linkspeedactive
    portinfo.linkspeedenabled portinfo.linkspeedsupported portinfo.linkwidthactive
    portinfo.linkwidthenabled portinfo.linkwidthsupported portinfo.lmc portinfo.localphyerrors
    portinfo.localportnum portinfo.m_key portinfo.m_keyleaseperiod portinfo.m_keyprotectbits
    portinfo.m_keyviolations portinfo.mastersmlid portinfo.mastersmsl portinfo.maxcredithint
    portinfo.mtucap portinfo.neighbormtu portinfo.operationalvls portinfo.overrunerrors
    portinfo.p_keyviolations portinfo.partitionenforcementinbound portinfo.partitionenforcementoutbound
    portinfo.portphysicalstate portinfo.portstate portinfo.q_keyviolations portinfo.resptimevalue
    portinfo.subnettimeout portinfo.vlarbitrationhighcap portinfo.vlarbitrationlowcap portinfo.vlcap
    portinfo.vlhighlimit portinfo.vlstallcount randomforwardingtable.lid randomforwardingtable.lmc
    randomforwardingtable.port randomforwardingtable.valid rawdata rmpp rmpp.data1 rmpp.data2
    rmpp.extendederrordata rmpp.newwindowlast rmpp.payloadlength rmpp.rmppflags rmpp.rmppstatus
    rmpp.rmpptype rmpp.rmppversion rmpp.rresptime rmpp.segmentnumber rmpp.transferreddata rwh rwh.etype
    sa.attributeoffset sa.blocknum_eightbit sa.blocknum_ninebit sa.blocknum_sixteenbit sa.componentmask
    sa.drdlid sa.endportlid sa.inputportnum sa.lid sa.outputportnum sa.portnum sa.position sa.smkey
    sa.subnetadmindata serviceassociationrecord.servicekey serviceassociationrecord.servicename
    sltovlmappingtable.sltovlhighbits sltovlmappingtable.sltovllowbits sminfo.actcount sminfo.guid
    sminfo.priority sminfo.sm_key sminfo.smstate smpdirected smpdirected.d smpdirected.drdlid
    smpdirected.drslid smpdirected.hopcount smpdirected.hoppointer smpdirected.initialpath
    smpdirected.returnpath smpdirected.smpstatus smplid smplid.mkey smplid.smpdata
    switchinfo.defaultmulticastnotprimaryport switchinfo.defaultmulticastprimaryport
    switchinfo.defaultport switchinfo.enhancedportzero switchinfo.filterrawinboundcap
    switchinfo.filterrawoutboundcap switchinfo.guid switchinfo.inboundenforcementcap
    switchinfo.lidsperport switchinfo.lifetimevalue switchinfo.linearfdbcap switchinfo.linearfdbtop
    switchinfo.multicastfdbcap switchinfo.optimizedsltovlmappingprogramming
    switchinfo.outboundenforcementcap switchinfo.partitionenforcementcap switchinfo.portstatechange
    switchinfo.randomfdbcap tracerecord.chassisid tracerecord.entryport tracerecord.entryportid
    tracerecord.exitport tracerecord.exitportid tracerecord.gidprefix tracerecord.idgeneration
    tracerecord.nodeid tracerecord.nodetype trap.attributeid trap.attributemodifier trap.capabilitymask
    trap.comp_mask trap.datavalid trap.drhopcount trap.drnotice trap.drnoticereturnpath
    trap.drpathtruncated trap.drslid trap.gidaddr trap.gidaddr1 trap.gidaddr2 trap.key trap.lidaddr
    trap.lidaddr1 trap.lidaddr2 trap.linkspeecenabledchange trap.linkwidthenabledchange trap.method
    trap.mkey trap.nodedescriptionchange trap.otherlocalchanges trap.pkey trap.portno trap.qp1 trap.qp2
    trap.sl trap.swlidaddr trap.systemimageguid trap.wait_for_repath variant.crc vendor
    vendordiag.diagdata vendordiag.nextindex vlarbitrationtable.vl vlarbitrationtable.weight
  `,
  ip: `
    bogus_header_length bogus_ip_length bogus_ip_version checksum.status checksum_bad.expert
    checksum_calculated cipso.categories cipso.doi cipso.malformed cipso.sensitivity_level
    cipso.tag_data cipso.tag_type cur_rt cur_rt_host dst_host empty_rt empty_rt_host evil_packet
    flags.sf fragment fragment.count fragment.error fragment.multipletails fragment.overlap
    fragment.overlap.conflict fragment.toolongfragment fragments geoip.asnum geoip.city geoip.country
    geoip.country_iso geoip.dst_asnum geoip.dst_city geoip.dst_country geoip.dst_country_iso
    geoip.dst_lat geoip.dst_lon geoip.dst_org geoip.dst_summary geoip.lat geoip.lon geoip.org
    geoip.src_asnum geoip.src_city geoip.src_country geoip.src_country_iso geoip.src_lat geoip.src_lon
    geoip.src_org geoip.src_summary host nop opt.addr opt.ext_sec_add_sec_info
    opt.ext_sec_add_sec_info_format_code opt.flag opt.id_number opt.len opt.len.invalid opt.mtu opt.ohc
    opt.originator opt.overflow opt.padding opt.ptr opt.ptr.before_address opt.ptr.middle_address
    opt.qs_func opt.qs_nonce opt.qs_rate opt.qs_reserved opt.qs_ttl opt.qs_ttl_diff opt.qs_unused opt.ra
    opt.rhc opt.sec_cl opt.sec_prot_auth_doe opt.sec_prot_auth_flags opt.sec_prot_auth_fti
    opt.sec_prot_auth_genser opt.sec_prot_auth_nsa opt.sec_prot_auth_sci opt.sec_prot_auth_siop_esi
    opt.sec_prot_auth_unassigned opt.sec_rfc791_comp opt.sec_rfc791_hr opt.sec_rfc791_sec
    opt.sec_rfc791_tcc opt.sid opt.time_stamp opt.time_stamp_addr opt.type opt.type.class opt.type.copy
    opt.type.number reassembled.data reassembled.length reassembled_in rec_rt rec_rt_host src_host
    src_rt src_rt_host subopt_too_long tos tos.cost tos.delay tos.precedence tos.reliability
    tos.throughput ttl.lncb ttl.too_small
  `,
  ipv6: `
    6to4_gw_ipv4 6to4_sla_id bogus_ipv6_version dst_6to4_gw_ipv4 dst_6to4_sla_id dst_addr.not_multicast
    dst_embed_ipv4 dst_host dst_isatap_ipv4 dst_slaac_mac dst_tc_ipv4 dst_tc_port dst_ts_ipv4
    dstopts.len dstopts.len_oct dstopts.nxt embed_ipv4 embed_ipv4.u.nonzero embed_ipv4_prefix
    embed_ipv4_suffix embed_ipv4_u fraghdr.ident fraghdr.more fraghdr.nxt fraghdr.offset
    fraghdr.reserved_bits fraghdr.reserved_octet fragment fragment.count fragment.error
    fragment.multipletails fragment.overlap fragment.overlap.conflict fragment.toolongfragment fragments
    geoip.asnum geoip.city geoip.country geoip.country_iso geoip.dst_asnum geoip.dst_city
    geoip.dst_country geoip.dst_country_iso geoip.dst_lat geoip.dst_lon geoip.dst_org geoip.dst_summary
    geoip.lat geoip.lon geoip.org geoip.src_asnum geoip.src_city geoip.src_country geoip.src_country_iso
    geoip.src_lat geoip.src_lon geoip.src_org geoip.src_summary hopopts.len hopopts.len_oct
    hopopts.not_first hopopts.nxt host invalid_header isatap_ipv4 opt opt.calipso.checksum
    opt.calipso.cmpt.length opt.calipso.cmpt_bitmap opt.calipso.doi opt.calipso.sens_level
    opt.deprecated opt.dff.flag.dup opt.dff.flag.ret opt.dff.flag.rsv opt.dff.flag.ver opt.dff.flags
    opt.dff.sequence_number opt.experimental opt.header_mismatch opt.ilnp_nonce opt.invalid_len
    opt.ioam.opt_type opt.ioam.rsv opt.ioam.trace.flag.a opt.ioam.trace.flag.l opt.ioam.trace.flag.o
    opt.ioam.trace.flag.rsv opt.ioam.trace.flags opt.ioam.trace.free_space
    opt.ioam.trace.invalid_nodelen opt.ioam.trace.invalid_remlen opt.ioam.trace.invalid_type
    opt.ioam.trace.node.bufoccup opt.ioam.trace.node.csum opt.ioam.trace.node.eif
    opt.ioam.trace.node.eif_wide opt.ioam.trace.node.hlim opt.ioam.trace.node.id
    opt.ioam.trace.node.id_wide opt.ioam.trace.node.iif opt.ioam.trace.node.iif_wide
    opt.ioam.trace.node.nsdata opt.ioam.trace.node.nsdata_wide opt.ioam.trace.node.oss.data
    opt.ioam.trace.node.oss.len opt.ioam.trace.node.oss.scid opt.ioam.trace.node.qdepth
    opt.ioam.trace.node.trdelay opt.ioam.trace.node.tsf opt.ioam.trace.node.tss
    opt.ioam.trace.node.undefined opt.ioam.trace.nodelen opt.ioam.trace.ns opt.ioam.trace.remlen
    opt.ioam.trace.rsv opt.ioam.trace.type opt.ioam.trace.type.bit0 opt.ioam.trace.type.bit1
    opt.ioam.trace.type.bit10 opt.ioam.trace.type.bit11 opt.ioam.trace.type.bit2
    opt.ioam.trace.type.bit22 opt.ioam.trace.type.bit3 opt.ioam.trace.type.bit4 opt.ioam.trace.type.bit5
    opt.ioam.trace.type.bit6 opt.ioam.trace.type.bit7 opt.ioam.trace.type.bit8 opt.ioam.trace.type.bit9
    opt.ioam.trace.type.rsv opt.ioam.trace.type.undef opt.jumbo opt.jumbo.fragment opt.jumbo.missing
    opt.jumbo.prohibited opt.jumbo.truncated opt.length opt.lio.length opt.lio.line_id
    opt.mipv6.home_address opt.mpl.flag opt.mpl.flag.m opt.mpl.flag.rsv opt.mpl.flag.s opt.mpl.flag.v
    opt.mpl.ipv6_src_seed_id opt.mpl.seed_id opt.mpl.sequence opt.pad1 opt.padn opt.pdm.delta_last_recv
    opt.pdm.delta_last_sent opt.pdm.psn_last_recv opt.pdm.psn_this_pkt opt.pdm.scale_dtlr
    opt.pdm.scale_dtls opt.pmtu.min opt.pmtu.r_flag opt.pmtu.rtn opt.qs_func opt.qs_nonce opt.qs_rate
    opt.qs_reserved opt.qs_ttl opt.qs_ttl_diff opt.qs_unused opt.router_alert opt.rpl.flag
    opt.rpl.flag.f opt.rpl.flag.o opt.rpl.flag.r opt.rpl.flag.rsv opt.rpl.instance_id
    opt.rpl.sender_rank opt.smf_dpd.hash_bit opt.smf_dpd.hav opt.smf_dpd.ident opt.smf_dpd.tagger_id
    opt.smf_dpd.tid_len opt.smf_dpd.tid_type opt.tel opt.tpf_information opt.type opt.type.action
    opt.type.change opt.type.rest opt.unknown opt.unknown_data.expert opt_unknown_data
    plen_exceeds_framing plen_zero reassembled.data reassembled.in reassembled.length
    routing.crh16.current_sid routing.crh16.sid routing.crh32.current_sid routing.crh32.sid
    routing.deprecated routing.invalid_length routing.invalid_segleft routing.len routing.len_oct
    routing.mipv6.home_address routing.mipv6.reserved routing.nxt routing.rpl.addr_count
    routing.rpl.addr_count_ge0 routing.rpl.address routing.rpl.cmprE routing.rpl.cmprI
    routing.rpl.cmprI_cmprE_pad routing.rpl.full_address routing.rpl.pad routing.rpl.reserved
    routing.rpl.reserved_not0 routing.segleft routing.src.addr routing.src.reserved routing.srh.addr
    routing.srh.flags routing.srh.last_entry routing.srh.tag routing.type routing.undecoded
    routing.unknown_data slaac_mac src_6to4_gw_ipv4 src_6to4_sla_id src_embed_ipv4 src_host
    src_isatap_ipv4 src_route_list.dst_addr src_route_list.mult_inst_same_addr
    src_route_list.multicast_addr src_route_list.src_addr src_slaac_mac src_tc_ipv4 src_tc_port
    src_ts_ipv4 tc_ipv4 tc_port ts_ipv4
  `,
  sll: `
    gretype ltype src.eth src.ipv4 src.other trailer unused
  `,
  tcp: `
    ack ack.nonzero analysis analysis.ack_lost_segment analysis.ack_rtt analysis.acks_frame
    analysis.bytes_in_flight analysis.duplicate_ack analysis.duplicate_ack_frame
    analysis.duplicate_ack_num analysis.fast_retransmission analysis.flags analysis.initial_rtt
    analysis.keep_alive analysis.keep_alive_ack analysis.lost_segment analysis.out_of_order
    analysis.push_bytes_sent analysis.retransmission analysis.reused_ports analysis.rto
    analysis.rto_frame analysis.spurious_retransmission analysis.tfo_ack analysis.tfo_ignored
    analysis.tfo_syn analysis.window_full analysis.window_update analysis.zero_window
    analysis.zero_window_probe analysis.zero_window_probe_ack bogus_header_length checksum.ffff
    checksum.status checksum_bad.expert checksum_calculated completeness connection.fin
    connection.fin_active connection.fin_passive connection.rst connection.syn connection.synack
    continuation_to fin_retransmission flags.ace flags.str len non_zero_bytes_after_eol nop nxtseq
    option.len.invalid option_kind option_len options options.acc_ecn.eceb options.acc_ecn.ee0b
    options.acc_ecn.ee1b options.ao.keyid options.ao.mac options.ao.rnextkeyid options.cc_value
    options.echo_value options.experimental.data options.experimental.exid options.md5.digest
    options.mptcp.addaddrtrunchmac options.mptcp.addrid options.mptcp.backup.flag options.mptcp.checksum
    options.mptcp.checksumreq.flags options.mptcp.dataack8.flag options.mptcp.dataackpresent.flag
    options.mptcp.datafin.flag options.mptcp.datalvllen options.mptcp.dseqn8.flag
    options.mptcp.dseqnpresent.flag options.mptcp.echo options.mptcp.extensibility.flag
    options.mptcp.flag_T.flag options.mptcp.flag_U.flag options.mptcp.flag_V.flag
    options.mptcp.flag_W.flag options.mptcp.flags options.mptcp.ipv4 options.mptcp.ipv6
    options.mptcp.ipver options.mptcp.nomoresubflows.flag options.mptcp.port options.mptcp.rawdataack
    options.mptcp.rawdataseqno options.mptcp.recvkey options.mptcp.recvtok options.mptcp.reserved
    options.mptcp.reserved.flag options.mptcp.rst_reason options.mptcp.sendhmac options.mptcp.sendkey
    options.mptcp.sendrand options.mptcp.sendtrunchmac options.mptcp.sha1.flag options.mptcp.sha256.flag
    options.mptcp.subflowseqno options.mptcp.subtype options.mptcp.version options.mss.absent
    options.mss.present options.mss_val options.qs.rate options.qs.ttl_diff options.rvbd.probe.appli_ver
    options.rvbd.probe.client.ip options.rvbd.probe.flags options.rvbd.probe.flags.last
    options.rvbd.probe.flags.notcfe options.rvbd.probe.flags.probe options.rvbd.probe.flags.server
    options.rvbd.probe.flags.ssl options.rvbd.probe.prober options.rvbd.probe.proxy.ip
    options.rvbd.probe.proxy.port options.rvbd.probe.reserved options.rvbd.probe.storeid
    options.rvbd.probe.type1 options.rvbd.probe.type2 options.rvbd.probe.version
    options.rvbd.probe.version_raw options.rvbd.trpy.client.port options.rvbd.trpy.dst.ip
    options.rvbd.trpy.dst.port options.rvbd.trpy.flags options.rvbd.trpy.flags.chksum
    options.rvbd.trpy.flags.fw_rst options.rvbd.trpy.flags.fw_rst_inner
    options.rvbd.trpy.flags.fw_rst_probe options.rvbd.trpy.flags.mode options.rvbd.trpy.flags.oob
    options.rvbd.trpy.src.ip options.rvbd.trpy.src.port options.sack.count options.sack.dsack
    options.sack.dsack_le options.sack.dsack_re options.sack_le options.sack_re options.scps.binding
    options.scps.binding.data options.scps.binding.id options.scps.binding.len options.scps.vector
    options.scpsflags.bets options.scpsflags.compress options.scpsflags.nlts options.scpsflags.reserved
    options.scpsflags.snack1 options.scpsflags.snack2 options.snack.le options.snack.offset
    options.snack.re options.snack.sequence options.snack.size options.tar.reserved options.tarr.rate
    options.tfo.cookie options.tfo.request options.timestamp.tsecr options.timestamp.tsval
    options.timestamp.tsval.syncookie.ecn options.timestamp.tsval.syncookie.sack
    options.timestamp.tsval.syncookie.timestamp options.timestamp.tsval.syncookie.wscale
    options.unknown.payload options.user_to_granularity options.user_to_val options.wscale.multiplier
    options.wscale.shift options.wscale.shift.invalid payload pdu.last_frame pdu.size pdu.time
    proc.dstcmd proc.dstpid proc.dstuid proc.dstuname proc.srccmd proc.srcpid proc.srcuid proc.srcuname
    reassembled.data reassembled.length reassembled_in reset_cause segment segment.count segment.error
    segment.multipletails segment.overlap segment.overlap.conflict segment.toolongfragment segment_data
    segments seq short_segment stream suboption_malformed syncookie.hash syncookie.mss syncookie.time
    time_delta time_relative urgent_pointer.non_zero window_size window_size_scalefactor
  `,
  udp: `
    checksum.bad checksum.status checksum.zero checksum_calculated checksum_coverage length.bad
    length.bad_zero payload pdu.size possible_traceroute proc.dstcmd proc.dstpid proc.dstuid
    proc.dstuname proc.srccmd proc.srcpid proc.srcuid proc.srcuname stream time_delta time_relative
  `,
  vlan: `
    cfi id_name len len.past_end too_many_tags trailer
  `,
};

/** Protocols that Wireshark filters know and that are often searched for in captures of a RoCE network. */
export const PROTOCOLS_THERE: ReadonlySet<string> = new Set(
  `arp bfd bgp cdp cflow dhcp dhcpv6 dns eapol esp fc fcoe fip ftp gtp gvcp hsrp http http2 icmp icmpv6 ieee1905 igmp
  ipmi iscsi iser isis isns iwarp_ddp_rdmap iwarp_mpa kerberos l2tp lacp ldap ldp llc lldp loop macsec mdns memcache
  mount mstp mysql nbns nfs ntp nvme nvme-rdma nvme-tcp ospf pgsql pim portmap pptp ptp quic radius rip rpc
  rpcordma rsvp rtp sctp sip smb smb2 smb_direct snmp ssdp ssh stp stt syslog tcpencap telnet tftp tls udplite vrrp
  vtp wg wlan`.split(/\s+/),
);

/** True for a field that Wireshark has and this package does not decode. */
export function inWiresharkOnly(name: string): boolean {
  const dot = name.indexOf('.');
  const protocol = name.slice(0, dot);
  if (dot < 0 || !Object.hasOwn(ONLY_THERE, protocol)) return false;
  return ONLY_THERE[protocol]!.split(/\s+/).includes(name.slice(dot + 1));
}

/**
 * Returns the protocol that Wireshark decodes and this package does not, by its name or a field's; undefined for
 * others.
 */
export function protocolThere(name: string): string | undefined {
  const protocol = name.split('.')[0]!;
  return PROTOCOLS_THERE.has(protocol) ? protocol : undefined;
}
